import type { ConfigObject } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** A fixed name, or a stable made-up one that whatever DHCP says replaces. */
export function hostnameDocument({ hostname }: TalosMachine): ConfigObject {
  return newDocument('HostnameConfig', hostname === undefined ? { auto: 'stable' } : { auto: 'off', hostname })
}
