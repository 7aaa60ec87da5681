import { lookupBy } from '../cluster/lookup.js'
import { UserFacingError } from '../errors.js'
import type { Resources } from '../proxmox/client/port.js'
import { findSeen, findWanted } from './wanted-machine.js'
import type { WorkContext } from './work-context.js'

/** The wait is pointless: the host is offline. */
class HostOffline extends UserFacingError {
  readonly code = 'host-offline'
  readonly exitCode = 1
}

const guestByVmid = lookupBy(({ vmid }: Resources['guests'][number]) => vmid)
const hostByName = lookupBy(({ name }: Resources['hosts'][number]) => name)

const freshForMs = 8000
/** A host that is offline for a moment does not end the wait. */
const graceMs = 10_000
const latest = new WeakMap<
  WorkContext['observed'],
  { readonly at: number; readonly resources: Promise<Resources | undefined> }
>()

/**
 * Watches the host of a machine during one wait: reports at once that it is offline, and throws if it stays offline.
 * All waits of a round share one query every few seconds.
 */
export function watchHost(machine: string, context: WorkContext): () => Promise<void> {
  let since: number | undefined
  return async () => {
    const host = await findOfflineHost(machine, context)
    if (host === undefined) since = undefined
    else if (since === undefined) {
      since = context.clock.monotonic()
      context.waiting(`host ${host}, which is offline`)
    } else if (context.clock.monotonic() - since >= graceMs) throw hostOffline(host, machine)
  }
}

function hostOffline(host: string, machine: string): HostOffline {
  return new HostOffline(`${host}, the host of ${machine}, is offline.`, {
    where: `Proxmox host ${host}`,
    fix: `Bring ${host} back, then run the same command again; the rest is finished without it.`,
  })
}

/** The host of a machine, if it is offline. */
async function findOfflineHost(machine: string, context: WorkContext): Promise<string | undefined> {
  const resources = await recentResources(context)
  const vmid = (findSeen(context.observed, machine) ?? findWanted(context.desired, machine))?.vmid
  if (resources === undefined || vmid === undefined) return undefined
  const host = guestByVmid(resources.guests, vmid)?.host
  return host !== undefined && hostByName(resources.hosts, host)?.online === false ? host : undefined
}

function recentResources({ proxmox, clock, observed, signal }: WorkContext): Promise<Resources | undefined> {
  const now = clock.monotonic()
  const known = latest.get(observed)
  if (known !== undefined && now - known.at < freshForMs) return known.resources
  const resources = proxmox.cluster.resources(signal).catch(() => undefined)
  latest.set(observed, { at: now, resources })
  return resources
}
