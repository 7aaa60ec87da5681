import { groupBy } from '../../cluster/lookup.js'
import { majority } from '../../cluster/quorum.js'
import { votesLeft } from '../../cluster/votes-left.js'
import type { Desired } from '../../desired/desired.js'
import type { Finding } from '../../findings/finding.js'
import { majorityOnOneHost } from '../../findings/notes/placement.js'
import { offlineHost } from '../../findings/notes/proxmox.js'
import type { Observed } from '../../observe/observed.js'
import { findSeen } from '../../work/wanted-machine.js'

/** Which hosts are offline, and what the hosts of the control planes mean for etcd. */
export function hostNotes(desired: Desired, observed: Observed): Finding[] {
  const { offlineHosts = [] } = desired
  const offline = offlineHosts.map((host) =>
    offlineHost.note(offlineText(host, desired), { subject: { kind: 'host', name: host } }),
  )
  return [...offline, ...sharedHosts(desired, observed)]
}

function offlineText(host: string, desired: Desired): string {
  const lost = desired.away.filter((machine) => machine.host === host).map(({ machine }) => machine)
  if (lost.length === 0) return `${host} is offline: no machine is placed on it.`
  const names = `${host} is offline with ${lost.map(({ name }) => name).join(', ')}.`
  const away = desired.away.filter(({ machine }) => machine.role === 'controlplane').length
  if (!lost.some(({ role }) => role === 'controlplane')) return names
  return `${names} ${votesLeft(controlPlanes(desired).length, away)}`
}

/** A plan that puts a control plane on a host whose loss would cost the majority. */
function sharedHosts(desired: Desired, observed: Observed): Finding[] {
  const all = controlPlanes(desired)
  const usable = observed.proxmox.hosts.filter(({ online }) => online)
  if (all.length < 3 || usable.length < 2) return []
  const isNew = ({ name, host }: Placed) => findSeen(observed, name)?.host !== host
  return [...groupBy(all, ({ host }) => host)].flatMap(([host, there]) => {
    if (all.length - there.length >= majority(all.length) || !there.some(isNew)) return []
    const names = there.map(({ name }) => name).join(', ')
    return [
      majorityOnOneHost.note(`${names} are on ${host}: if it is lost, etcd loses its majority.`, {
        subject: { kind: 'host', name: host },
        ...wayOut(desired),
      }),
    ]
  })
}

function wayOut({ offlineHosts = [] }: Desired): { cure?: string } {
  return offlineHosts.length === 0 ? {} : { cure: `Bring ${offlineHosts.join(', ')} back first to spread them.` }
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
