import { type PooledMachine, poolMoves } from '../../adopt/pool-moves.js'
import { reasonOf } from '../../errors.js'
import type { ProxmoxPort } from '../../proxmox/client/port.js'

type Proxmox = Pick<ProxmoxPort, 'access' | 'backup' | 'cluster' | 'highAvailability'>

/** What changes for each VM when it moves into the pool, and what of it this token could not read. */
export async function lookAtPools(
  machines: readonly PooledMachine[],
  pool: string,
  { access, backup, cluster, highAvailability }: Proxmox,
  signal: AbortSignal,
): Promise<string[]> {
  const unread: string[] = []
  const ask = async <T>(what: string, asked: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await asked
    } catch (thrown) {
      signal.throwIfAborted()
      unread.push(`The ${what} could not be read: ${reasonOf(thrown)}`)
      return otherwise
    }
  }
  const { major } = await cluster.version(signal)
  const [acl, jobs, ha] = await Promise.all([
    ask('rights', access.acl(signal), []),
    ask('backup jobs', backup.jobs(signal), []),
    ask('HA rules', highAvailability.read(major, signal), { resources: [], groups: [], rules: [] }),
  ])
  const moves = poolMoves(machines, pool, { acl, jobs, ha })
  return moves.length === 0 ? [] : [...moves, ...unread]
}
