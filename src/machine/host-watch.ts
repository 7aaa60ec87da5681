import { UserFacingError } from '../errors.js'
import type { Resources } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { findSeen, findWanted } from './wanted-machine.js'
import type { WorkContext } from './work-context.js'

/** What is waited for cannot come: its host is offline. */
class HostOffline extends UserFacingError {
  readonly code = 'host-offline'
  readonly exitCode = 1
}

const freshForMs = 10_000
const latest = new WeakMap<World, { readonly at: number; readonly resources: Promise<Resources | undefined> }>()

/** Throws when the host that a machine stands on is offline. All waits of a run share one look every ten seconds. */
export async function assertHostOnline(machine: string, world: World, context: WorkContext): Promise<void> {
  const resources = await recentResources(world, context.signal)
  const vmid = (findSeen(context.observed, machine) ?? findWanted(context.desired, machine))?.vmid
  const host = resources?.guests.find((guest) => guest.vmid === vmid)?.host
  if (resources?.hosts.find(({ name }) => name === host)?.online !== false) return
  throw new HostOffline(`${host}, the host of ${machine}, is offline.`, {
    where: `Proxmox host ${host}`,
    fix: `Bring ${host} back, then run the same command again; the rest is finished without it.`,
  })
}

function recentResources(world: World, signal: AbortSignal): Promise<Resources | undefined> {
  const now = world.clock.monotonic()
  const known = latest.get(world)
  if (known !== undefined && now - known.at < freshForMs) return known.resources
  const resources = world.proxmox.cluster.resources(signal).catch(() => undefined)
  latest.set(world, { at: now, resources })
  return resources
}
