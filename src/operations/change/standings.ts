import type { Machine } from '../../cluster/machine.js'
import { ifSeen } from '../../cluster/seen.js'
import type { NodeLoad } from '../../observe/ask-load.js'
import type { Observed } from '../../observe/observed.js'
import { dataDisks } from '../../vm/data-disks.js'
import { findSeen } from '../../work/wanted-machine.js'
import type { Standing } from './choose-leaving.js'

/** The facts about each machine, from the observed state. */
export function standings(
  observed: Observed,
  load: ReadonlyMap<string, NodeLoad>,
  machines: readonly Machine[],
): (machine: Machine) => Standing {
  const crowded = crowdedHosts(observed)
  const etcd = ifSeen(observed.etcd)
  const leader = etcd?.owners[etcd.leader ?? '']
  const away = new Set(observed.unverified.filter(({ because }) => because === 'away').map(({ holds }) => holds))
  const groupOn = (host: string, pool: string) =>
    machines.filter((one) => one.pool === pool && findSeen(observed, one.name)?.host === host).length
  return ({ name, pool, isProtected }) => {
    const seen = findSeen(observed, name)
    const node = load.get(seen?.node?.name ?? name)
    return {
      exists: seen !== undefined || away.has(name),
      isAway: away.has(name),
      isProtected: isProtected || seen?.options.protection === '1',
      isReady: seen?.node?.ready === true,
      isCordoned: seen?.node?.unschedulable === true,
      volumes: dataDisks(seen?.options ?? {}).length + (node?.volumes ?? 0),
      isCrowded: seen !== undefined && crowded.has(seen.host),
      neighbours: seen === undefined ? 0 : groupOn(seen.host, pool),
      pods: node?.pods ?? 0,
      isLeader: leader === name,
    }
  }
}

/** Hosts whose running guests are configured for more memory than they have. */
function crowdedHosts({ proxmox: { hosts, guests } }: Observed): Set<string> {
  const used = (host: string) =>
    guests
      .filter((guest) => guest.host === host && guest.status === 'running')
      .reduce((sum, { memory }) => sum + memory, 0)
  return new Set(
    hosts.filter(({ name, memory }) => memory !== undefined && used(name) > memory).map(({ name }) => name),
  )
}
