import { afterAll, beforeAll, expect, test } from 'vitest'
import { survey } from '../../src/operations/reconcile.js'
import { statusOf } from '../../src/operations/status/status.js'
import { byHand } from '../support/by-hand.js'
import { plainFacts } from '../support/facts.js'
import { aStage, clusterYaml, mutatingCalls, type Stage, titlesOf } from '../support/lab.js'

let stage: Stage
beforeAll(async () => {
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ extra: 'secrets: plain\n' }) } })
  await stage.up()
  // The very host that the inventory names: the others are known from the run before.
  await stage.lab.proxmox.setHostOnline('pve1', false)
})
afterAll(() => stage.close())

async function status() {
  const { world, close } = await stage.connect()
  const spec = await stage.spec(world)
  const { inventory, observed, verdict } = await survey({ spec, world, signal: AbortSignal.timeout(50_000) })
  await close()
  return statusOf(plainFacts(inventory, observed), verdict)
}

test('status shows what is left, and where the others are', async () => {
  const { healthy, hosts, machines, etcd, notes } = await status()
  expect(healthy).toBe(false)
  expect(hosts[0]).toEqual({ name: 'pve1', online: false, machines: ['dev-cp-1', 'dev-wk-1'] })
  expect(Object.fromEntries(machines.map(({ name, state }) => [name, state]))).toEqual({
    'dev-cp-1': 'host down',
    'dev-cp-2': 'ready',
    'dev-cp-3': 'ready',
    'dev-wk-1': 'host down',
    'dev-wk-2': 'ready',
  })
  expect(etcd).toMatchObject({ members: 3, healthy_members: 2, healthy: false })
  expect(notes).toContain(
    'dev-cp-1 (VM 2000) is on pve1, which does not respond: it is not changed until the host is back.',
  )
})

test('nothing is recreated for a machine on it, and up says why the cluster is incomplete', async () => {
  const before = mutatingCalls(stage.lab).length
  const { plan } = await stage.plan()
  expect(plan).toMatchObject({ steps: [], away: ['dev-cp-1', 'dev-wk-1'] })
  await expect(stage.up()).rejects.toMatchObject({
    message:
      'dev is incomplete: dev-cp-1: VM 2000 is on pve1, which does not answer; dev-wk-1: VM 3000 is on pve1, which does not answer.',
    exitCode: 1,
  })
  await expect(stage.destroy()).rejects.toThrow('VM 2000, 3000 would stay behind: pve1 does not answer.')
  expect(mutatingCalls(stage.lab)).toHaveLength(before)
})

test('what can be repaired on other hosts is repaired', async () => {
  const { world, signal } = await byHand(stage)
  const vm = { host: 'pve2', vmid: 3001 }
  expect(await world.proxmox.machines.findStatus(vm, signal)).toMatchObject({ status: 'running' })
  await world.proxmox.tasks.wait(await world.proxmox.machines.stop(vm, signal), signal)
  expect(titlesOf((await stage.plan()).plan)).toEqual(['start dev-wk-2'])
  await expect(stage.up()).rejects.toMatchObject({ code: 'incomplete' })
  expect((await status()).machines.find(({ name }) => name === 'dev-wk-2')?.state).toBe('ready')
})

test('with two of three hosts dead up refuses at once, and status still shows what it can', async () => {
  await stage.lab.proxmox.setHostOnline('pve2', false)
  await expect(stage.up()).rejects.toThrow(
    'etcd has no majority without dev-cp-1, dev-cp-2, and pve1, pve2 cannot be reached.',
  )
  const { machines, refusal } = await status()
  expect(machines.filter(({ state }) => state === 'host down').map(({ name }) => name)).toHaveLength(4)
  expect(refusal?.problem).toMatch(/^etcd has no majority without dev-cp-1, dev-cp-2/)
})

test('when they are back, everything is as it was', async () => {
  await stage.lab.proxmox.setHostOnline('pve1', true)
  await stage.lab.proxmox.setHostOnline('pve2', true)
  expect((await stage.up()).outcome).toMatch(/^(done|nothing-to-do)$/)
  expect(await status()).toMatchObject({ healthy: true, drift: [] })
})
