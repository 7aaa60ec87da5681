import { expect } from 'vitest'
import { byHand } from './by-hand.js'
import { withoutNodes } from './cut-off.js'
import { mutatingCalls, type Stage } from './lab.js'
import { killedAt, type Story, uuidOf, wanting } from './worst-day.js'

/** `up` changes nothing but its lease, and does not call that done. */
async function isLeftAlone(stage: Stage, options: Parameters<Stage['up']>[0] = {}): Promise<void> {
  const calls = () => mutatingCalls(stage.lab).filter((call) => !call.includes('/pools')).length
  const before = calls()
  await expect(stage.up({ forceUnlock: true, ...options })).rejects.toMatchObject({ exitCode: expect.any(Number) })
  expect(calls()).toBe(before)
}

export const unreachableNodes: Story = {
  name: 'five control planes should become three while one hangs and no node can be reached: two go when all are seen again',
  before: wanting(5, 0),
  happen: async (stage) => {
    await stage.write('cluster.yaml', wanting(3, 0))
    stage.lab.talos.hang(uuidOf(stage, 'dev-cp-2'))
    await isLeftAlone(stage, { through: withoutNodes, signal: AbortSignal.timeout(300_000) })
    stage.lab.talos.hang(uuidOf(stage, 'dev-cp-2'), false)
  },
  after: wanting(3, 0),
}

const cilium = 'addons:\n  cilium: true\n'

export const operatorReturns: Story = {
  name: 'a worker goes while the operator of cilium tolerates every cordon: the drain ends',
  before: wanting(1, 2, cilium),
  happen: async () => {},
  after: wanting(1, 1, cilium),
}

export const protectedWorker: Story = {
  name: 'a worker that Proxmox protects is not wanted any more: it goes when the protection is gone',
  before: wanting(1, 2),
  happen: async (stage) => {
    const hand = await byHand(stage)
    await hand.set('dev-wk-2', { protection: 1 })
    await stage.write('cluster.yaml', wanting(1, 1))
    await isLeftAlone(stage)
    await hand.set('dev-wk-2', { protection: 0 })
  },
  after: wanting(1, 1),
}

export const protectionLifted: Story = {
  name: 'workers are protected by the inventory, then one of them is not wanted any more: its protection goes, then its VM',
  before: wanting(1, 2, 'protect: [dev-wk-1, dev-wk-2]\n'),
  happen: async (stage) => {
    await stage.write('cluster.yaml', wanting(1, 1, 'protect: [dev-wk-1]\n'))
  },
  after: wanting(1, 1, 'protect: [dev-wk-1]\n'),
  judge: (stage) => {
    const vms = Object.values(stage.lab.save().proxmox.state.vms)
    expect(Object.fromEntries(vms.map(({ config }) => [config.name, config.protection]))).toMatchObject({
      'dev-wk-1': '1',
    })
  },
}

export const neverGrown: Story = {
  name: 'one control plane should become three, killed after the first create, and is enough again: the empty VM goes',
  before: wanting(1, 1),
  happen: async (stage) => {
    await stage.write('cluster.yaml', wanting(3, 1))
    await killedAt(stage, { surface: 'proxmox', method: 'POST', path: '/qemu$' }, () => stage.up())
  },
  after: wanting(1, 1),
}

export const untaggedAndAway: Story = {
  name: 'a worker loses tag and pool, and its host dies: it is not made a second time',
  before: wanting(1, 2),
  happen: async (stage) => {
    const hand = await byHand(stage)
    const { host, vmid } = await hand.vm('dev-wk-2')
    await hand.set('dev-wk-2', { tags: '' })
    await hand.world.proxmox.pools.create('nobody', '', hand.signal)
    await hand.putIntoPool('nobody', vmid)
    await stage.lab.proxmox.setHostOnline(host, false)
    await isLeftAlone(stage)
    await stage.lab.proxmox.setHostOnline(host, true)
    await hand.putIntoPool('ichor-dev', vmid)
  },
  after: wanting(1, 2),
}

export const movedToOtherPool: Story = {
  name: 'a worker is moved to another pool while the inventory grows: refused, and made when it is back in its own',
  before: wanting(1, 1),
  happen: async (stage) => {
    const hand = await byHand(stage)
    const { vmid } = await hand.vm('dev-wk-1')
    const { pools } = hand.world.proxmox
    await pools.create('others', '', hand.signal)
    await hand.putIntoPool('others', vmid)
    await stage.write('cluster.yaml', wanting(1, 2))
    await isLeftAlone(stage)
    await hand.putIntoPool('ichor-dev', vmid)
  },
  after: wanting(1, 2),
}
