import { expect } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import type { Lab, LedgerEntry } from '../../src/simulator/index.js'
import type { Stage } from './lab.js'

interface Etcd {
  readonly voters: Set<string>
  readonly running: Set<string>
}

/** From the lab's own ledger: since etcd first had its majority, it never lost it. */
export function etcdNeverLostItsMajority(lab: Lab): void {
  expect(momentsWithoutMajority(lab.ledger.entries())).toEqual([])
}

/** The names of its members, as `up` sees them. */
export async function etcdMembers(stage: Pick<Stage, 'plan'>): Promise<string[] | undefined> {
  const { observed } = await stage.plan()
  return ifSeen(observed.etcd)
    ?.members.map(({ hostname }) => hostname)
    .sort()
}

function momentsWithoutMajority(entries: readonly LedgerEntry[]): string[] {
  const etcds = new Map<string, Etcd>()
  const once = new Set<string>()
  const lost: string[] = []
  for (const { event, subject, detail } of entries) {
    const id = String(detail?.etcd ?? '')
    if (!event.startsWith('etcd.') || id === '') continue
    const etcd = etcds.get(id) ?? { voters: new Set<string>(), running: new Set<string>() }
    etcds.set(id, etcd)
    happen(etcd, event, String(detail?.member ?? ''))
    const isWell = etcd.running.size > 0 && votesOf(etcd) > etcd.voters.size / 2
    if (isWell) once.add(id)
    else if (once.has(id)) lost.push(`${event} of ${subject}: ${votesOf(etcd)} of ${etcd.voters.size}`)
  }
  return lost
}

function happen({ voters, running }: Etcd, event: string, member: string): void {
  if (event === 'etcd.bootstrapped' || event === 'etcd.member-promoted') voters.add(member)
  if (event === 'etcd.member-left' || event === 'etcd.member-removed') voters.delete(member)
  if (event === 'etcd.member-started') running.add(member)
  if (event === 'etcd.member-stopped') running.delete(member)
}

function votesOf({ voters, running }: Etcd): number {
  return [...voters].filter((member) => running.has(member)).length
}
