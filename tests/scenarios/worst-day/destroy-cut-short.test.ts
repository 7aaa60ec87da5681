import { afterEach, expect, test } from 'vitest'
import { byHand } from '../../support/by-hand.js'
import type { Stage } from '../../support/lab.js'
import { bootstraps, whatIsThere } from '../../support/left-behind.js'
import { aWorstDay, isWell, wanting } from '../../support/worst-day.js'

let stage: Stage
afterEach(() => stage.close())

/** A destroy has taken two of three control planes when it ends; the third is left with one vote of three. */
async function destroyCutShort(): Promise<void> {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(3, 1) } })
  await stage.up()
  const { vmid } = await (await byHand(stage)).vm('dev-cp-3')
  const stop = new RegExp(`/qemu/${vmid}/status/stop$`).source
  stage.lab.faults.add({ match: { surface: 'proxmox', path: stop }, action: { kind: 'kill-task' }, times: 4 })
  await expect(stage.destroy()).rejects.toThrow()
  stage.lab.faults.clear()
  expect(stage.lab.talos.machines().map(({ name }) => name)).toContain('dev-cp-3')
}

const refusal = {
  exitCode: 3,
  message: expect.stringContaining('etcd has lost its majority'),
  fix: expect.stringMatching(/ichor destroy was interrupted, run it again.*--new-etcd/),
}

test('a destroy was cut short, and one of three control planes is left: up refuses and names the ways out', async () => {
  await destroyCutShort()
  await expect(stage.up()).rejects.toMatchObject(refusal)
  await (await byHand(stage)).stop('dev-cp-3')
  await expect(stage.up()).rejects.toMatchObject(refusal)
  expect(bootstraps(stage.lab)).toBe(1)
  expect((await stage.destroy()).outcome).toBe('done')
  expect(whatIsThere(stage.lab)).toMatchObject({ vms: [], pools: [] })
})

test('a destroy was cut short, and the rest of etcd is given up: its last member is made again, with a new etcd', async () => {
  await destroyCutShort()
  expect((await stage.up({ newEtcd: true })).outcome).toBe('done')
  expect(bootstraps(stage.lab)).toBe(2)
  await isWell(stage, stage.lab.clock.now())
})
