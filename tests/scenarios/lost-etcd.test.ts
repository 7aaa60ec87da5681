import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { PlanRefused } from '../../src/errors.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { bootstraps } from '../support/left-behind.js'

let stage: Stage
afterEach(() => stage.close())

async function isRefused(attempt: Promise<unknown>): Promise<void> {
  const refusal = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(refusal).toBeInstanceOf(PlanRefused)
  const { exitCode, fix } = refusal as PlanRefused
  expect(exitCode).toBe(3)
  expect(fix).toContain('ichor restore')
  expect(fix).toContain('--new-etcd')
}

test('the only control plane is lost for ever: no second, empty etcd, unless the old one is given up', async () => {
  stage = await aStage({
    speed: 1000,
    topology: aTopology(),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) },
  })
  await stage.up()
  const hand = await byHand(stage)
  const node = hand.world.talos.node({ machine: 'dev-cp-1', address: '10.0.10.10' })
  const snapshot: Uint8Array[] = []
  for await (const chunk of node.etcd.snapshot(hand.signal)) snapshot.push(chunk)
  await hand.remove('dev-cp-1')
  await isRefused(stage.plan())
  await isRefused(stage.up())
  expect(bootstraps(stage.lab)).toBe(1)
  // By hand, as with Talos's own tools: machines first, then the snapshot.
  expect(await stage.up({ until: 'vms' })).toMatchObject({ outcome: 'done' })
  await isRefused(stage.up())
  await node.etcd.recover(Readable.from(snapshot), hand.signal)
  await node.bootstrap({ recoverEtcd: true, skipHashCheck: false }, hand.signal)
  expect((await stage.up()).outcome).toMatch(/^(done|nothing-to-do)$/)
  await hand.remove('dev-cp-1')
  stage.events.splice(0)
  stage.lab.faults.add({ match: { surface: 'talos', path: '/Bootstrap$' }, action: { kind: 'kill-caller' } })
  await expect(stage.up({ newEtcd: true })).rejects.toThrow()
  // The worker lived on, and its node is unknown to the new etcd: it comes even if nobody is there to see it.
  const step = expect.stringMatching(/^restart-kubelet.*dev-wk-1/)
  expect(stage.events).toContainEqual(expect.objectContaining({ type: 'step.finished', step, outcome: 'done' }))
  expect(await stage.up({ forceUnlock: true })).toMatchObject({ outcome: 'done' })
  expect((await (await byHand(stage)).options('dev-cp-1')).description).toContain('bootstrap: done')
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

test('the first of three is lost right after the bootstrap, before anybody joined: never a second, empty etcd', async () => {
  let lost: Promise<void> | undefined
  stage = await aStage({
    speed: 1000,
    files: { 'cluster.yaml': clusterYaml({ workers: 0, extra: 'vm: { onboot: false }\n' }) },
    onKillCaller: () => {
      lost = stage.lab.proxmox.setHostOnline('pve1', false)
      stage.die()
    },
  })
  stage.lab.faults.add({ match: { surface: 'talos', path: '/Bootstrap$' }, action: { kind: 'kill-caller' } })
  await expect(stage.up()).rejects.toThrow()
  await lost
  await stage.lab.proxmox.setHostOnline('pve1', true)
  const hand = await byHand(stage)
  await hand.wait(hand.world.proxmox.machines.remove(await hand.vm('dev-cp-1'), hand.signal))
  await isRefused(stage.up({ forceUnlock: true }))
  expect(bootstraps(stage.lab)).toBe(1)
})
