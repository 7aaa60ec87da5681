import { expect, test } from 'vitest'
import type { World } from '../world.js'
import { askEtcd } from './ask-talos.js'
import type { ObservedMachine } from './observed.js'

const signal = AbortSignal.timeout(5000)
const names = ['cp-1', 'cp-2', 'cp-3']
const machines = names.map((name) => ({ name, address: name, talos: { reach: 'secured' } }) as ObservedMachine)
const members = names.map((id) => ({ id, hostname: id, peerUrls: [], isLearner: false }))
const silent = () => Promise.reject(new Error('no answer'))

/** What each control plane says of etcd: its leader, or that it only learns; nothing at all where it is silent. */
function anEtcd(says: Readonly<Record<string, { leader: string; isLearner?: boolean }>>): World {
  const node = ({ machine }: { machine: string }) => {
    const own = says[machine]
    return {
      etcd: {
        status: own === undefined ? silent : async () => ({ member: machine, isLearner: false, ...own }),
        members: own === undefined ? silent : async () => members,
      },
    }
  }
  return { talos: { node } } as unknown as World
}

test('members are well that vote and know a leader, and any that answers reports who they are', async () => {
  const etcd = anEtcd({ 'cp-2': { leader: 'a1' }, 'cp-3': { leader: 'a1', isLearner: true } })
  expect(await askEtcd(machines, etcd, signal)).toEqual({ members, healthy: ['cp-2'], leader: 'a1' })
  const leaderless = anEtcd({ 'cp-1': { leader: '0000000000000000' } })
  expect(await askEtcd(machines, leaderless, signal)).toEqual({ members, healthy: [] })
})

test('where no control plane answers, nothing is known', async () => {
  expect(await askEtcd(machines, anEtcd({}), signal)).toBeUndefined()
  expect(await askEtcd([], anEtcd({ 'cp-1': { leader: 'a1' } }), signal)).toBeUndefined()
})
