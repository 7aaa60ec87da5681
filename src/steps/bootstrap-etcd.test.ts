import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine, withCluster } from '../../tests/support/contexts.js'
import { aMark, described, hardwareOf } from '../../tests/support/marks.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { stepOf } from '../capabilities/steps.js'
import { createClock } from '../clock.js'
import { type Mark, readMark } from '../ownership/mark.js'
import { optionText } from '../proxmox/model/option-text.js'
import type { EtcdMember } from '../talos/api/port.js'
import type { World } from '../world.js'

const machine = 'dev-cp-1'
const other = 'dev-cp-2'
const desired = await aDesired({ controlPlanes: 3 })
const step = stepOf('bootstrap-etcd', { machine })
const member: EtcdMember = { id: 'id-1', hostname: machine, peerUrls: [], isLearner: false }

/** The VM of the machine, whose mark may record a bootstrap. */
function markedOptions(bootstrap: Mark['bootstrap'], notes = ''): Readonly<Record<string, string>> {
  const mark = aMark(machine, 2000, bootstrap === undefined ? {} : { bootstrap })
  return { description: described(mark, notes), ...hardwareOf(machine) }
}

function contextOf(others: Parameters<typeof aSeenMachine>[2][] = [], newEtcd?: true) {
  const machines = [aSeenMachine(machine, 2000), ...others.map((change) => aSeenMachine(other, 2001, change))]
  return aContext({
    desired: withCluster(desired, newEtcd === undefined ? {} : { intent: { newEtcd } }),
    observed: { ...aWorld(['pve1']), machines },
  })
}

/** What the secrets and the mark record, and what the other control plane reports about its etcd. */
function remembering(
  bootstrapped: boolean,
  bootstrap: Mark['bootstrap'],
  others: () => Promise<EtcdMember[]>,
  leader = '0',
): World {
  const options = markedOptions(bootstrap)
  return aStub<World>({
    secrets: { find: async () => ({ memory: { bootstrapped } }) },
    proxmox: { machines: { findConfig: async () => ({ options, digest: 'd' }) } },
    talos: {
      node: () => ({
        services: async () => [running],
        etcd: { members: others, status: async () => ({ ...noLeader, leader }) },
      }),
    },
  })
}

const running = { id: 'etcd', state: 'Running', message: '' }
const noLeader = { member: 'id-1', leader: '0', isLearner: false }

test.each<{ bootstrapped: boolean; bootstrap?: Mark['bootstrap']; newEtcd?: true; isAllowed: boolean }>([
  { bootstrapped: false, isAllowed: true },
  { bootstrapped: true, isAllowed: false },
  { bootstrapped: true, bootstrap: 'done', isAllowed: false },
  { bootstrapped: true, bootstrap: 'asked', isAllowed: true },
  { bootstrapped: true, newEtcd: true, isAllowed: true },
])(
  'never a second bootstrap, unless nobody saw the first or it is given up: %o',
  async ({ bootstrapped, bootstrap, newEtcd, isAllowed }) => {
    const guard = step.guard({ ...contextOf([], newEtcd), ...remembering(bootstrapped, bootstrap, async () => []) })
    if (isAllowed) await guard
    else await expect(guard).rejects.toThrow('A new, empty etcd would lose everything.')
  },
)

test('an etcd that has a leader in this moment is not given up', async () => {
  const world = remembering(true, 'done', async () => [member], 'a1')
  await expect(step.guard({ ...contextOf([], true), ...world })).rejects.toThrow(
    / runs an etcd that has a leader: no new etcd is bootstrapped/,
  )
})

const silent = () => Promise.reject(new Error('no answer'))

test.each<{
  what: string
  seen: Parameters<typeof aSeenMachine>[2]
  says: () => Promise<EtcdMember[]>
  refused?: RegExp
}>([
  { what: 'says that it has none', seen: {}, says: async () => [] },
  { what: 'has one', seen: {}, says: async () => [member], refused: /^dev-cp-2 already has etcd data/ },
  { what: 'does not answer', seen: {}, says: silent, refused: /^Cannot determine whether dev-cp-2 has etcd data/ },
  { what: 'was switched off', seen: { status: 'stopped' }, says: silent, refused: /Cannot determine/ },
  { what: 'is being made and runs', seen: { mark: { stage: 'making' } }, says: silent, refused: /Cannot determine/ },
  { what: 'was only claimed yet', seen: { mark: { stage: 'making' }, status: 'stopped' }, says: silent },
])('etcd is begun where another control plane $what: refused with $refused', async ({ seen, says, refused }) => {
  const guard = step.guard({ ...contextOf([seen]), ...remembering(false, undefined, says) })
  if (refused === undefined) await guard
  else await expect(guard).rejects.toThrow(refused)
})

test('the bootstrap is written into the mark and the secrets before it is asked for', async () => {
  const order: string[] = []
  let options = markedOptions(undefined, 'my notes')
  const world = aStub<World>({
    clock: createClock(1000),
    secrets: { remember: async (memory) => void order.push(`secrets: ${JSON.stringify(memory)}`) },
    proxmox: {
      // A long wait also checks the host.
      cluster: { resources: async () => ({ hosts: [], guests: [], storages: [] }) },
      machines: {
        findConfig: async () => ({ options, digest: 'd' }),
        setOptions: async (_vm, { set = {} }) => {
          const description = optionText(set.description ?? '')
          options = { ...options, description }
          order.push(`mark: ${readMark(description)?.mark.bootstrap}`)
        },
      },
    },
    talos: {
      node: () => ({
        services: async () => [running],
        etcd: { members: async () => (order.includes('bootstrap') ? [member] : []) },
        bootstrap: async () => {
          order.push('bootstrap')
          return 'accepted' as const
        },
      }),
    },
  })
  await step.run({ ...contextOf(), ...world })
  expect(order).toEqual(['mark: asked', 'secrets: {"bootstrapped":true}', 'bootstrap', 'mark: done'])
  expect(options.description).toMatch(/^my notes\n\n```ichor/)
})
