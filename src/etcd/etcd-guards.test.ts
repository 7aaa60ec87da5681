import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine, withCluster } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { seen } from '../cluster/seen.js'
import type { ObservedEtcd, ObservedTalos } from '../observe/observed.js'
import type { WorkContext } from '../work/work-context.js'
import type { World } from '../world.js'
import { guardLeave, guardLeft, guardPause, guardRemoval } from './etcd-guards.js'

interface Situation {
  /** Listed etcd members: numbers of control planes, `cp-1` to `cp-5`. */
  readonly members: readonly number[]
  /** Those that respond, vote and know a leader. */
  readonly healthy: readonly number[]
  /** Those that respond and are learners. */
  readonly learning?: readonly number[]
  /** The secrets record that etcd was bootstrapped. */
  readonly bootstrapped?: boolean
  /** The member is listed without a name, only with its address. */
  readonly isNameless?: boolean
  /** The stage of a restore, as recorded in the secrets. */
  readonly restore?: 'clearing' | 'recovering'
}

const nameOf = (number: number) => `dev-cp-${number}`
const five = await aDesired({ controlPlanes: 5, workers: 1 })
const desiredOf = (count: number) => ({
  ...five,
  machines: five.machines.filter(({ machine: { role, index } }) => role === 'worker' || index < count),
})
const addressOf = (number: number) =>
  five.machines.find(({ machine }) => machine.name === nameOf(number))?.address ?? 'nowhere'

/** An etcd as its members report it, and secrets that record it. */
function anEtcd(situation: Situation): World {
  const { members, healthy, learning = [], bootstrapped = true, isNameless = false, restore } = situation
  const recovery = restore === undefined ? {} : { recovery: { snapshot: 'a', stage: restore, run: 'run' } }
  const listed = members.map((number) => ({
    id: `id-${number}`,
    hostname: isNameless ? '' : nameOf(number),
    peerUrls: [`https://${addressOf(number)}:2380`],
    isLearner: learning.includes(number),
  }))
  return aStub<World>({
    secrets: { find: async () => ({ memory: { bootstrapped, ...recovery } }) },
    talos: {
      node: ({ machine }) => {
        const number = Number(machine.split('-').at(-1))
        const answers = healthy.includes(number) || learning.includes(number)
        return {
          etcd: {
            status: async () => {
              if (!answers) throw new Error('no answer')
              return {
                member: `id-${number}`,
                leader: 'a1',
                isLearner: learning.includes(number),
                dbSize: 0,
                errors: [],
              }
            },
            members: async () => listed,
          },
        }
      },
    },
  })
}

const contextOf = (controlPlanes: number, change: Partial<WorkContext> = {}) =>
  aContext({ desired: desiredOf(controlPlanes), ...change })

type Row = Situation & { readonly of?: number; readonly refused?: RegExp; readonly because: string }

const unseen = /^etcd cannot be seen: none of its members answers, so dev-cp-1 is left as it is\.$/
const noMajority = /without dev-cp-1 it would lose its majority/

test.each<Row>([
  { members: [1, 2, 3], healthy: [1, 2, 3], because: 'two of three stay' },
  { members: [1, 2, 3], healthy: [1, 2], refused: noMajority, because: 'one of three would stay' },
  { members: [1, 2, 3], healthy: [1, 2], learning: [3], refused: noMajority, because: 'a learner has no vote' },
  { members: [1, 2], healthy: [1, 2], refused: noMajority, because: 'two members survive no loss' },
  { members: [1], healthy: [1], because: 'it is the only member that there is yet' },
  { members: [1, 2, 3], healthy: [2, 3], because: 'it is no loss: it does not answer anyway' },
  { of: 5, members: [1, 2, 3, 4, 5], healthy: [1, 2, 3, 4], because: 'three of five stay' },
  { of: 5, members: [1, 2, 3, 4, 5], healthy: [1, 2, 3], refused: noMajority, because: 'two of five would stay' },
  { members: [1, 2, 3], healthy: [], refused: unseen, because: 'nobody answers' },
  { members: [], healthy: [1], refused: unseen, because: 'the one that answers lists nobody' },
  { members: [1, 2, 3], healthy: [], bootstrapped: false, because: 'there is no etcd yet' },
  { of: 1, members: [1], healthy: [], because: 'an only control plane has no others to ask' },
])('a restart of cp-1 with members $members, $healthy well: $because', async ({ of = 3, refused, ...situation }) => {
  const guard = guardPause(nameOf(1), { ...contextOf(of), ...anEtcd(situation) })
  if (refused === undefined) await guard
  else await expect(guard).rejects.toThrow(refused)
})

test('a restart that a sick member forbids names what repairs that one', async () => {
  const talos = { reach: 'secured', etcdEnd: 'exit code 2', etcdState: 'Waiting' } as ObservedTalos
  const etcd = seen({
    members: [1, 2, 3].map((number) => ({
      id: `id-${number}`,
      hostname: nameOf(number),
      peerUrls: [],
      isLearner: false,
    })),
    healthy: ['id-1', 'id-2'],
    owners: { 'id-1': nameOf(1), 'id-2': nameOf(2) },
  } as ObservedEtcd)
  const machines = [{ ...aSeenMachine(nameOf(3), 2002), talos }]
  const context = contextOf(3, { observed: { ...aWorld(['pve1']), machines, etcd } })
  const guard = guardPause(nameOf(1), { ...context, ...anEtcd({ members: [1, 2, 3], healthy: [1, 2] }) })
  await expect(guard).rejects.toMatchObject({ fix: 'ichor replace dev-cp-3, then run the same command again.' })
})

test('an only control plane that can be worked on, beside one on a silent host, is not the only one', async () => {
  const [machine] = five.machines.filter((wanted) => wanted.machine.name === nameOf(2))
  if (machine === undefined) throw new Error('five are wanted')
  const desired = { ...desiredOf(1), away: [machine] }
  const guard = guardPause(nameOf(1), aContext({ desired, world: anEtcd({ members: [1, 2], healthy: [1] }) }))
  await expect(guard).rejects.toThrow(noMajority)
})

test.each<Row>([
  { members: [1, 2, 3], healthy: [1, 2, 3], because: 'both that stay are well' },
  { members: [1, 2, 3], healthy: [2, 3], because: 'it is dead, and both that stay are well' },
  { members: [1, 2, 3], healthy: [1, 2], refused: noMajority, because: 'of two that stay only one is well' },
  { members: [1, 2], healthy: [1, 2], because: 'the one that stays is well' },
  { members: [1, 2], healthy: [1], refused: noMajority, because: 'the one that stays is not well' },
  { members: [1], healthy: [1], refused: noMajority, because: 'nobody stays' },
  { of: 5, members: [1, 2, 3, 4, 5], healthy: [1, 2, 3], refused: noMajority, because: 'two of four are no majority' },
  { of: 5, members: [1, 2, 3, 4, 5], healthy: [1, 2, 3, 4], because: 'three of four are one' },
  { members: [2, 3], healthy: [2], because: 'it is no member' },
  { members: [1, 2, 3], healthy: [], refused: unseen, because: 'nobody answers' },
  { members: [1, 2, 3], healthy: [], bootstrapped: false, because: 'there is no etcd yet' },
])('cp-1 leaves for good with members $members, $healthy well: $because', async ({ of = 3, refused, ...situation }) => {
  const guard = guardLeave(nameOf(1), { ...contextOf(of), ...anEtcd(situation) })
  if (refused === undefined) await guard
  else await expect(guard).rejects.toThrow(refused)
})

test.each<Row & { readonly newEtcd?: true }>([
  { members: [2, 3], healthy: [2, 3], because: 'it has left' },
  {
    members: [1, 2, 3],
    healthy: [2, 3],
    refused: /^dev-cp-1 is still a member of etcd \(id-1\)/,
    because: 'it is listed',
  },
  { members: [1, 2, 3], healthy: [1, 2, 3], refused: /still a member/, because: 'it is even well' },
  { members: [1, 2, 3], healthy: [2], isNameless: true, refused: /still a member/, because: 'its address is listed' },
  { members: [1, 2, 3], healthy: [], refused: unseen, because: 'nobody answers' },
  { members: [1, 2, 3], healthy: [], bootstrapped: false, because: 'there is no etcd yet' },
  { members: [1, 2, 3], healthy: [], newEtcd: true, because: 'the old etcd is given up' },
])('cp-1 is stopped or deleted with members $members, $healthy well: $because', async (row) => {
  const { of = 3, refused, newEtcd, ...situation } = row
  const desired = withCluster(desiredOf(of), newEtcd === undefined ? {} : { intent: { newEtcd } })
  const guard = guardLeft(nameOf(1), aContext({ desired, world: anEtcd(situation) }))
  if (refused === undefined) await guard
  else await expect(guard).rejects.toThrow(refused)
})

const restore = { snapshot: 'a', run: 'run', skipHashCheck: false, mayBeGone: false, overHealthy: false, members: [] }

test.each<Row>([
  { restore: 'clearing', members: [1, 2, 3], healthy: [1, 2, 3], because: 'the old etcd goes, and is saved' },
  { restore: 'recovering', members: [], healthy: [], because: 'there is no etcd, neither the old nor the new one' },
  {
    restore: 'recovering',
    members: [1, 2],
    healthy: [1, 2],
    refused: /still a member/,
    because: 'the restored etcd is there, and it is a member',
  },
  { members: [1, 2, 3], healthy: [1, 2, 3], refused: /still a member/, because: 'the secrets know of no restore' },
])('cp-1 is stopped or deleted by a restore that is $restore, $healthy well: $because', async (row) => {
  const { refused, ...situation } = row
  const desired = withCluster(desiredOf(3), { restore })
  const guard = guardLeft(nameOf(1), aContext({ desired, world: anEtcd(situation) }))
  if (refused === undefined) await guard
  else await expect(guard).rejects.toThrow(refused)
})

test.each<Row>([
  { members: [1, 2, 3], healthy: [2, 3], because: 'it is dead, and the others have their majority' },
  { members: [1, 2, 3], healthy: [2, 3], bootstrapped: false, because: 'whatever the secrets remember' },
  {
    members: [1, 2, 3],
    healthy: [1, 2, 3],
    refused: /The etcd member of dev-cp-1 answers: it is not lost/,
    because: 'it lives',
  },
  { members: [1, 2, 3], healthy: [2], refused: /1 of 3 members are healthy, and 2 are needed/, because: 'no majority' },
  { members: [1, 2, 3], healthy: [2], learning: [3], refused: /1 of 3 members/, because: 'a learner has no vote' },
  { members: [1, 2, 3], healthy: [], refused: /etcd has no majority: 0 of/, because: 'nobody answers' },
  { of: 5, members: [1, 2, 3, 4, 5], healthy: [2, 3, 4], because: 'three of five' },
  {
    of: 5,
    members: [1, 2, 3, 4, 5],
    healthy: [2, 3],
    refused: /2 of 5 members are healthy, and 3/,
    because: 'two of five',
  },
])(
  'the lost cp-1 is removed with members $members, $healthy well: $because',
  async ({ of = 3, refused, ...situation }) => {
    const guard = guardRemoval(nameOf(1), { ...contextOf(of), ...anEtcd(situation) })
    if (refused === undefined) await guard
    else await expect(guard).rejects.toThrow(refused)
  },
)

test.each([guardPause, guardLeave, guardLeft])('a worker is no matter for etcd: nobody is asked', async (guard) => {
  await guard('dev-wk-1', contextOf(3))
})

test('an unwanted control plane is found by its mark, and its etcd is queried as well', async () => {
  const surplus = aSeenMachine('dev-cp-4', 2003, { address: addressOf(4) })
  const observed = { ...aWorld(['pve1']), machines: [surplus] }
  const world = anEtcd({ members: [1, 2, 3, 4], healthy: [1, 2, 4] })
  await expect(guardLeft('dev-cp-4', { ...contextOf(3, { observed }), ...world })).rejects.toThrow(
    'still a member of etcd (id-4)',
  )
  const two = anEtcd({ members: [1, 2, 3, 4], healthy: [2, 4] })
  await expect(guardLeave('dev-cp-4', { ...contextOf(3, { observed }), ...two })).rejects.toThrow('lose its majority')
  await guardLeave('dev-cp-4', { ...contextOf(3, { observed }), ...world })
})

test.each([guardPause, guardLeave, guardLeft])(
  'secrets that do not remember etcd are not believed where it was seen',
  async (guard) => {
    const etcd = { members: [], healthy: ['id-1', 'id-2'], owners: {} }
    const observed = { ...aWorld(['pve1']), etcd: seen(etcd) }
    const world = anEtcd({ members: [1, 2, 3], healthy: [1, 2], bootstrapped: false })
    await expect(guard(nameOf(1), { ...contextOf(3, { observed }), ...world })).rejects.toThrow(
      /majority|still a member/,
    )
  },
)
