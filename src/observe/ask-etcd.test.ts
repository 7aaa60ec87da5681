import { expect, test } from 'vitest'
import { aSeenMachine } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { seen, unseen } from '../cluster/seen.js'
import type { World } from '../world.js'
import { askEtcd } from './ask-etcd.js'
import type { ObservedTalos } from './observed.js'

const signal = AbortSignal.timeout(5000)
const names = ['cp-1', 'cp-2', 'cp-3']
const secured: ObservedTalos = {
  reach: 'secured',
  version: 'v1.13.9',
  stage: 'running',
  ready: true,
  unmet: [],
  config: seen(''),
}
const machines = names.map((name, index) => aSeenMachine(name, 2000 + index, { address: name, talos: secured }))
const members = names.map((id) => ({ id, hostname: id, peerUrls: [], isLearner: false }))

type Answer = { leader: string; isLearner?: boolean } | 'no etcd' | 'ended' | 'no answer'

/** What each control plane reports about etcd: its leader, that it is a learner, or that it has no etcd. */
function anEtcd(says: Readonly<Record<string, Answer>>): World {
  return aStub<World>({
    talos: {
      node: ({ machine }) => {
        const own = says[machine] ?? 'no answer'
        const refuse = () => {
          const grpcCode = own === 'no etcd' ? 'FailedPrecondition' : 'Unavailable'
          return Promise.reject(Object.assign(new Error(String(own)), { grpcCode }))
        }
        const service = { id: 'etcd', state: own === 'no etcd' ? 'Preparing' : 'Running', message: '' }
        const crashed = { ...service, state: 'Waiting', ended: 'exit code 2' }
        const services = async () => [own === 'ended' ? crashed : service]
        if (typeof own === 'string') return { etcd: { status: refuse, members: refuse }, services }
        const status = async () => ({ member: machine, isLearner: false, dbSize: 0, errors: [], ...own })
        return { etcd: { status, members: async () => members } }
      },
    },
  })
}

test('members that vote and know a leader are healthy, and any responding member lists them', async () => {
  const etcd = anEtcd({ 'cp-2': { leader: 'a1' }, 'cp-3': { leader: 'a1', isLearner: true } })
  expect(await askEtcd(machines, [], etcd, signal)).toEqual(
    seen({ members, healthy: ['cp-2'], leader: 'a1', owners: { 'cp-2': 'cp-2', 'cp-3': 'cp-3' } }),
  )
  const leaderless = anEtcd({ 'cp-1': { leader: '0000000000000000' } })
  expect(await askEtcd(machines, [], leaderless, signal)).toEqual(
    seen({ members, healthy: [], owners: { 'cp-1': 'cp-1' } }),
  )
})

const none = anEtcd({ 'cp-1': 'no etcd', 'cp-2': 'no etcd', 'cp-3': 'no etcd' })
const [first, ...others] = machines
if (first === undefined) throw new Error('there are three')

test('etcd counts as absent only if every control plane reports none, or cannot hold any', async () => {
  expect(await askEtcd(machines, [], none, signal)).toEqual(seen(undefined))
  expect(await askEtcd([], [], none, signal)).toEqual(seen(undefined))
  for (const harmless of [
    { ...first, talos: { reach: 'maintenance' as const } },
    aSeenMachine('cp-1', 2000, { mark: { stage: 'making' }, status: 'stopped' }),
    // Somebody started it before it had a disk.
    aSeenMachine('cp-1', 2000, { mark: { stage: 'making' }, options: {} }),
  ])
    expect(await askEtcd([harmless, ...others], [], none, signal)).toEqual(seen(undefined))
})

test.each([
  { what: 'is silent', change: { talos: { reach: 'silent', reason: 'no answer' } } as const },
  { what: 'was switched off', change: { talos: { reach: 'off' }, status: 'stopped' } as const },
])('a control plane that $what may hold etcd: it is not called absent', async ({ change }) => {
  expect(await askEtcd([{ ...first, ...change }, ...others], [], none, signal)).toEqual(unseen('cp-1 does not answer'))
})

test('a control plane that is being made and runs may hold etcd as well', async () => {
  const booting = aSeenMachine('cp-1', 2000, {
    mark: { stage: 'making' },
    options: { scsi0: 'local-lvm:vm-2000-disk-0,size=20G' },
    talos: { reach: 'silent', reason: 'boots' },
  })
  expect(await askEtcd([booting, ...others], [], none, signal)).toMatchObject({ seen: false })
})

test('a control plane whose VM cannot be read may hold etcd, and so may one with another error', async () => {
  const unread = [{ name: 'cp-4', why: 'pve2 does not answer' }]
  expect(await askEtcd(machines, unread, none, signal)).toEqual(unseen('cp-4: pve2 does not answer'))
  const broken = anEtcd({ 'cp-1': 'no etcd', 'cp-2': 'no answer', 'cp-3': 'no etcd' })
  expect(await askEtcd(machines, [], broken, signal)).toMatchObject({
    seen: false,
    why: expect.stringMatching(/^cp-2/),
  })
})

test('a member that no machine of ours is, and that answers at its address, lives', async () => {
  const stray = { id: 'cp-9', hostname: 'cp-9', peerUrls: ['https://10.0.0.9:2380'], isLearner: false }
  const known = anEtcd({ 'cp-1': { leader: 'a1' }, 'cp-9': { leader: 'a1' } })
  const world = aStub<World>({
    talos: {
      node: (target) => ({
        etcd: {
          status: (asked) => known.talos.node(target).etcd.status(asked),
          members: async () => [...members, stray],
        },
      }),
    },
  })
  expect(await askEtcd([first], [], world, signal)).toMatchObject({
    value: { healthy: ['cp-1', 'cp-9'], owners: { 'cp-9': 'cp-9' } },
  })
})

test('an etcd that ended and waits for its next start has data: it is not absent', async () => {
  const ended = anEtcd({ 'cp-1': 'ended', 'cp-2': 'no etcd', 'cp-3': 'no etcd' })
  expect(await askEtcd(machines, [], ended, signal)).toMatchObject({ seen: false })
})
