import type { ConfigObject } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** DNS servers; Talos's defaults if none is set. */
export function resolverDocuments({ nameservers }: TalosMachine): ConfigObject[] {
  if (nameservers.length === 0) return []
  return [newDocument('ResolverConfig', { nameservers: nameservers.map((address) => ({ address })) })]
}

/** Time servers; Talos's default if none is set. */
export function timeDocuments({ timeServers }: TalosMachine): ConfigObject[] {
  return timeServers.length === 0 ? [] : [newDocument('TimeSyncConfig', { ntp: { servers: timeServers } })]
}
