import type { Datacenter } from '../datacenter.js'
import { haStateOf } from './services.js'

/** A host that is silent for that long must be fenced. */
const delayMs = 60_000
/** After that long its watchdog has certainly reset it: nothing runs there any more. */
const fencedMs = 120_000

/** Checks which hosts are online, and records since when one is not. */
export function watchNodes(datacenter: Datacenter): void {
  const { nodes } = haStateOf(datacenter)
  for (const { name, online } of Object.values(datacenter.state.hosts)) {
    const known = nodes[name]
    if (online) nodes[name] = { state: 'online' }
    else if (known?.silentSince === undefined) nodes[name] = { state: 'unknown', silentSince: datacenter.clock.now() }
  }
}

export function isOnline(datacenter: Datacenter, node: string): boolean {
  return haStateOf(datacenter).nodes[node]?.state === 'online'
}

export function onlineNodes(datacenter: Datacenter): string[] {
  return Object.keys(haStateOf(datacenter).nodes)
    .filter((node) => isOnline(datacenter, node))
    .sort()
}

function silence(datacenter: Datacenter, node: string): number {
  const since = haStateOf(datacenter).nodes[node]?.silentSince
  return since === undefined ? 0 : datacenter.clock.now() - since
}

/** Silent for so long that its services must be moved. */
export function mustBeFenced(datacenter: Datacenter, node: string): boolean {
  return silence(datacenter, node) >= delayMs
}

/** Whether nothing runs there any more; a host that has returned was reset. */
export function isFenced(datacenter: Datacenter, node: string): boolean {
  return isOnline(datacenter, node) || silence(datacenter, node) >= fencedMs
}

/** A host is shown as being fenced until that is certain. */
export function markFencing(datacenter: Datacenter, node: string): void {
  const known = haStateOf(datacenter).nodes[node]
  if (known !== undefined && known.state !== 'online') known.state = isFenced(datacenter, node) ? 'unknown' : 'fence'
}
