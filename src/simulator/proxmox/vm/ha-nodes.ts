import type { Datacentre } from '../datacentre.js'
import { haStateOf } from './ha-services.js'

/** A host that is silent for that long must be fenced. */
const delayMs = 60_000
/** After that long its watchdog has certainly reset it: nothing runs there any more. */
const fencedMs = 120_000

/** Checks which hosts are online, and records since when one is not. */
export function watchNodes(datacentre: Datacentre): void {
  const { nodes } = haStateOf(datacentre)
  for (const { name, online } of Object.values(datacentre.state.hosts)) {
    const known = nodes[name]
    if (online) nodes[name] = { state: 'online' }
    else if (known?.silentSince === undefined) nodes[name] = { state: 'unknown', silentSince: datacentre.clock.now() }
  }
}

export function isOnline(datacentre: Datacentre, node: string): boolean {
  return haStateOf(datacentre).nodes[node]?.state === 'online'
}

export function onlineNodes(datacentre: Datacentre): string[] {
  return Object.keys(haStateOf(datacentre).nodes)
    .filter((node) => isOnline(datacentre, node))
    .sort()
}

function silence(datacentre: Datacentre, node: string): number {
  const since = haStateOf(datacentre).nodes[node]?.silentSince
  return since === undefined ? 0 : datacentre.clock.now() - since
}

/** Silent for so long that its services must be moved. */
export function mustBeFenced(datacentre: Datacentre, node: string): boolean {
  return silence(datacentre, node) >= delayMs
}

/** Whether nothing runs there any more; a host that has returned was reset. */
export function isFenced(datacentre: Datacentre, node: string): boolean {
  return isOnline(datacentre, node) || silence(datacentre, node) >= fencedMs
}

/** A host is shown as being fenced until that is certain. */
export function markFencing(datacentre: Datacentre, node: string): void {
  const known = haStateOf(datacentre).nodes[node]
  if (known !== undefined && known.state !== 'online') known.state = isFenced(datacentre, node) ? 'unknown' : 'fence'
}
