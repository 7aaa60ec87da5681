import { groupBy } from '../../cluster/lookup.js'
import { majority } from '../../cluster/quorum.js'
import { votesLeft } from '../../cluster/votes-left.js'
import type { Desired } from '../../desired/desired.js'
import type { Observed } from '../../observe/observed.js'
import { findSeen } from '../../work/wanted-machine.js'

/** Which hosts are offline, and what the hosts of the control planes mean for etcd. */
export function hostNotes(desired: Desired, observed: Observed): string[] {
  const { offlineHosts = [] } = desired
  return [...offlineHosts.map((host) => offlineNote(host, desired)), ...sharedHosts(desired, observed)]
}

function offlineNote(host: string, desired: Desired): string {
  const lost = desired.away.filter((machine) => machine.host === host).map(({ machine }) => machine)
  if (lost.length === 0) return `${host} is offline: no machine is placed on it.`
  const names = `${host} is offline with ${lost.map(({ name }) => name).join(', ')}.`
  const away = desired.away.filter(({ machine }) => machine.role === 'controlplane').length
  if (!lost.some(({ role }) => role === 'controlplane')) return names
  return `${names} ${votesLeft(controlPlanes(desired).length, away)}`
}

/** A plan that puts a control plane on a host whose loss would cost the majority. */
function sharedHosts(desired: Desired, observed: Observed): string[] {
  const all = controlPlanes(desired)
  const usable = observed.proxmox.hosts.filter(({ online }) => online)
  if (all.length < 3 || usable.length < 2) return []
  const isNew = ({ name, host }: Placed) => findSeen(observed, name)?.host !== host
  return [...groupBy(all, ({ host }) => host)].flatMap(([host, there]) => {
    if (all.length - there.length >= majority(all.length) || !there.some(isNew)) return []
    const names = there.map(({ name }) => name).join(', ')
    return [`${names} are on ${host}: if it is lost, etcd loses its majority.${wayOut(desired)}`]
  })
}

function wayOut({ offlineHosts = [] }: Desired): string {
  return offlineHosts.length === 0 ? '' : ` Bring ${offlineHosts.join(', ')} back first to spread them.`
}

interface Placed {
  readonly name: string
  readonly host: string
}

/** Where they are or will be. */
function controlPlanes({ machines, away }: Desired): Placed[] {
  const placed = machines.map(({ machine, host, moveTo = host }) => ({ machine, host: moveTo }))
  return [...placed, ...away].flatMap(({ machine: { name, role }, host }) =>
    role === 'controlplane' ? [{ name, host }] : [],
  )
}
