import type { ConfigObject } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** A fixed name, or a stable generated one that DHCP may replace. */
export function hostnameDocument({ hostname }: TalosMachine): ConfigObject {
  return newDocument('HostnameConfig', hostname === undefined ? { auto: 'stable' } : { auto: 'off', hostname })
}
