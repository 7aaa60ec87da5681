import type { ConfigObject } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** Where names are asked for; Talos's own defaults when no server is named. */
export function resolverDocuments({ nameservers }: TalosMachine): ConfigObject[] {
  if (nameservers.length === 0) return []
  return [newDocument('ResolverConfig', { nameservers: nameservers.map((address) => ({ address })) })]
}

/** Whom the clock follows; Talos's own default when no server is named. */
export function timeDocuments({ timeServers }: TalosMachine): ConfigObject[] {
  return timeServers.length === 0 ? [] : [newDocument('TimeSyncConfig', { ntp: { servers: timeServers } })]
}
