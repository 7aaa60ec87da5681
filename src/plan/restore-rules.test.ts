import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { afterMishap, aWorld, carriedOut, type Mishap, planOf, specFor } from '../../tests/support/worlds.js'
import type { RecoveryStage } from '../cluster/recovery.js'
import { ifSeen, seen } from '../cluster/seen.js'
import type { Desired, DesiredRestore } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { Observed } from '../observe/observed.js'
import { refuseRestore, refuseUnfinishedRestore } from './restore-rules.js'

const hosts = ['pve1', 'pve2', 'pve3']
const spec = specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts }))
const empty = aWorld(hosts)
const standing = carriedOut(planOf(spec, empty).steps, spec(empty), empty)

const after = (mishap: Mishap, ...names: string[]) =>
  names.reduce((world, name) => afterMishap(world, name, mishap), standing)
const all = ['dev-cp-1', 'dev-cp-2', 'dev-cp-3']

const etcds = {
  well: standing,
  'one member off': after('it was switched off', 'dev-cp-1'),
  'without majority': leaderless(after('it is gone', 'dev-cp-1', 'dev-cp-2')),
  'two silent': leaderless(after('it does not answer', 'dev-cp-1', 'dev-cp-2')),
  'two silent, and a leader': after('it does not answer', 'dev-cp-1', 'dev-cp-2'),
  'two off': leaderless(after('it was switched off', 'dev-cp-1', 'dev-cp-2')),
  'all silent': after('it does not answer', ...all),
  'all off': after('it was switched off', ...all),
  'all gone': after('it is gone', ...all),
  'one on a dead host': withDeadHost(standing, 'dev-cp-3'),
} as const

/** etcd as a member without a majority reports it. */
function leaderless(world: Observed): Observed {
  const etcd = ifSeen(world.etcd)
  if (etcd === undefined) return world
  const { leader: _, ...rest } = etcd
  return { ...world, etcd: seen({ ...rest, healthy: [] }) }
}

function withDeadHost(world: Observed, name: string): Observed {
  return afterMishap(world, name, 'it is gone')
}

const nobody = { mayBeGone: false, overHealthy: false }
const wanted: DesiredRestore = { snapshot: 'one', run: 'run-1', skipHashCheck: false, members: [], ...nobody }

interface Row {
  readonly etcd: keyof typeof etcds
  readonly recovery?: readonly [snapshot: string, stage: RecoveryStage]
  readonly flags?: Partial<DesiredRestore>
  readonly refused?: RegExp
}

const gone = { mayBeGone: true }

function restoring(desired: Desired, flags: Partial<DesiredRestore> = {}): Desired {
  return { ...desired, cluster: { ...desired.cluster, restore: { ...wanted, ...flags } } }
}
const over = { overHealthy: true }
const well = /etcd of dev is healthy: 3 of 3 members/
const unheard = /run and do not answer: [23] of 3 members may be a healthy etcd/
const unsaved = /cannot be saved/
const unreachable = /dev-cp-3 cannot be reached and may return with the old etcd/
const another = /A restore from two is under way/

/**
 * Whether a restore from `one` is refused, by what is observed, what the secrets record, and what the user asks for.
 */
const rows: readonly Row[] = [
  { etcd: 'well', refused: well },
  { etcd: 'well', flags: gone, refused: well },
  { etcd: 'well', flags: over },
  { etcd: 'well', recovery: ['one', 'done'], refused: well },
  { etcd: 'well', recovery: ['two', 'done'], refused: well },
  { etcd: 'well', recovery: ['one', 'clearing'] },
  { etcd: 'well', recovery: ['two', 'clearing'] },
  { etcd: 'well', recovery: ['one', 'recovering'] },
  { etcd: 'well', recovery: ['two', 'recovering'], refused: another },
  { etcd: 'well', recovery: ['two', 'recovering'], flags: { ...over, ...gone }, refused: another },
  { etcd: 'one member off', refused: /etcd of dev is healthy: 2 of 3/ },
  { etcd: 'one member off', flags: over },
  { etcd: 'without majority' },
  { etcd: 'two off' },
  { etcd: 'two silent', refused: unheard },
  { etcd: 'two silent', flags: over, refused: unheard },
  { etcd: 'two silent', flags: gone },
  { etcd: 'two silent, and a leader', refused: /etcd of dev has a leader/ },
  { etcd: 'two silent, and a leader', flags: gone, refused: /etcd of dev has a leader/ },
  { etcd: 'all silent', refused: unheard },
  { etcd: 'all silent', flags: over, refused: unheard },
  { etcd: 'all silent', flags: gone },
  { etcd: 'all silent', recovery: ['one', 'clearing'] },
  { etcd: 'all off', refused: unsaved },
  { etcd: 'all off', flags: gone },
  { etcd: 'all gone' },
  { etcd: 'all gone', recovery: ['one', 'recovering'] },
  { etcd: 'all gone', recovery: ['two', 'clearing'] },
  { etcd: 'all gone', recovery: ['two', 'recovering'], refused: another },
  { etcd: 'one on a dead host', refused: unreachable },
  { etcd: 'one on a dead host', flags: over, refused: unreachable },
  { etcd: 'one on a dead host', recovery: ['one', 'clearing'], refused: unreachable },
  { etcd: 'one on a dead host', recovery: ['one', 'recovering'], refused: unreachable },
  { etcd: 'one on a dead host', flags: gone, refused: /etcd of dev is healthy: 2 of 3/ },
  { etcd: 'one on a dead host', flags: { ...gone, ...over } },
]

test.each(rows)('etcd $etcd, recovery $recovery, $flags: $refused', ({ etcd, recovery, flags, refused }) => {
  const observed = remembering(etcds[etcd], recovery)
  const desired = etcd === 'one on a dead host' ? withAway(spec(observed)) : spec(observed)
  const judge = () => refuseRestore(restoring(desired, flags), observed)
  if (refused === undefined) expect(judge).not.toThrow()
  else expect(judge).toThrow(refused)
})

function remembering(observed: Observed, recovery: Row['recovery']): Observed {
  if (recovery === undefined) return observed
  const [snapshot, stage] = recovery
  return { ...observed, secrets: { ...observed.secrets, recovery: { snapshot, stage, run: 'run-0' } } }
}

/** Its machine cannot be observed, and is neither wanted nor missing. */
function withAway(desired: Desired): Desired {
  const lost = desired.machines.filter(({ machine }) => machine.name === 'dev-cp-3')
  return {
    ...desired,
    machines: desired.machines.filter((one) => !lost.includes(one)),
    away: lost.map(({ machine, vmid }) => ({ machine, vmid, host: 'pve3', why: 'pve3 is offline' })),
  }
}

const unfinished: readonly (readonly [etcd: keyof typeof etcds, stage: RecoveryStage | undefined, refused: boolean])[] =
  [
    ['well', undefined, false],
    ['well', 'clearing', true],
    ['well', 'recovering', false],
    ['well', 'done', false],
    ['without majority', 'recovering', true],
    ['all silent', 'recovering', true],
    ['all gone', 'clearing', true],
    ['all gone', 'recovering', true],
    ['all gone', 'done', false],
  ]

test.each(unfinished)('up where etcd is %s and a restore is %s: refused %s', (etcd, stage, refused) => {
  const observed = remembering(etcds[etcd], stage === undefined ? undefined : ['one', stage])
  const judge = () => refuseUnfinishedRestore(spec(empty), observed)
  if (refused) expect(judge).toThrow(PlanRefused)
  else expect(judge).not.toThrow()
})

test('up names the command that finishes it, also for a file of others', () => {
  const begun = (snapshot: string) => remembering(etcds['all gone'], [snapshot, 'clearing'])
  expect(fixOf(() => refuseUnfinishedRestore(spec(empty), begun('dev-1')))).toContain('Run ichor restore dev-1:')
  expect(fixOf(() => refuseUnfinishedRestore(spec(empty), begun('sha256:0123456789abcdef')))).toContain(
    'Run ichor restore --foreign FILE, with the file whose SHA-256 begins with 0123456789abcdef',
  )
})

test('unidentified VMs on a failed host count as control planes', () => {
  const observed = {
    ...etcds['all gone'],
    unverified: [{ vmid: 777, host: 'pve3', because: 'away' as const, text: 'VM 777 on pve3', name: '' }],
  }
  expect(() => refuseRestore(restoring(spec(empty)), observed)).toThrow('VM 777 cannot be reached')
  expect(() => refuseRestore(restoring(spec(empty), gone), observed)).not.toThrow()
})

function fixOf(judge: () => void): string {
  try {
    judge()
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return thrown.fix
  }
  return ''
}
