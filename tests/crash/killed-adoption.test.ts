import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { aForeignMachine, foreignTopology } from '../support/foreign-cluster.js'
import { aForeignEnvironment } from '../support/foreign-environment.js'
import { aStage, mutatingCalls, type Stage } from '../support/lab.js'
import { oneIn } from '../support/sample.js'

const machines = [aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker'), aForeignMachine(3, 'worker')]
const topology = foreignTopology(machines)
const anotherVm = { host: 'pve1', vmid: 900 }

const home = await mkdtemp(join(tmpdir(), 'ichor-adopted-'))
afterAll(() => rm(home, { recursive: true, force: true }))
const adopted = await adoptedLab()

/** A cluster made by hand, adopted and not yet taken over, beside a VM of another owner. */
async function adoptedLab() {
  const foreign = await aForeignEnvironment(machines)
  const { proxmox } = foreign.world
  const options = { name: 'nas', cores: 1, memory: 512, tags: 'nas', description: 'of another owner' }
  await proxmox.tasks.wait(await proxmox.machines.create(anotherVm, options, foreign.signal), foreign.signal)
  expect((await foreign.adopt('--strict')).code).toBe(0)
  await cp(join(foreign.program.folder, 'env'), home, { recursive: true })
  // The age key that its secrets are encrypted for.
  await cp(join(foreign.program.folder, 'sops'), join(home, 'sops'), { recursive: true })
  const { lab } = foreign.program.lab()
  const saved = { lab: lab.save(), vms: vmOptions(lab) }
  await foreign.program.close()
  return saved
}

function vmOptions({ proxmox }: Stage['lab']) {
  const vms = Object.values(proxmox.save().state.vms)
  return vms
    .map(({ vmid, config }) => ({ vmid, description: config.description, tags: config.tags }))
    .sort((one, other) => one.vmid - other.vmid)
}

async function onStage(story: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-killed-'))
  await cp(home, folder, { recursive: true })
  const stage = await aStage({ files: {}, topology, speed: 2000, folder, resume: adopted.lab })
  try {
    await story(stage)
    expect(vmOptions(stage.lab).at(-1)).toEqual(adopted.vms.at(-1))
    expect(stage.lab.availability.etcdOutages()).toEqual([])
    expect(
      mutatingCalls(stage.lab).filter(
        (call) => !/^proxmox (POST|PUT|DELETE) \/(pools|nodes\/pve\d\/qemu\/70\d\/config)/.test(call),
      ),
    ).toEqual([])
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function calls(run: (stage: Stage) => Promise<unknown>, from: (stage: Stage) => Promise<unknown>) {
  let count = 0
  await onStage(async (stage) => {
    await from(stage)
    const before = mutatingCalls(stage.lab).length
    await run(stage)
    count = mutatingCalls(stage.lab).length - before
  })
  expect(count).toBeGreaterThan(4)
  return count
}

async function killed(stage: Stage, nth: number, run: () => Promise<unknown>): Promise<void> {
  stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
  await run().catch(() => undefined)
  if (nth === 1) expect(stage.lab.faults.list().some(({ hits }) => hits === 1)).toBe(true)
  stage.lab.faults.clear()
}

const nothing = async () => undefined

test('the first up after an adoption, killed at its calls: the next one finishes it', async () => {
  const count = await calls((stage) => stage.up(), nothing)
  const story = (nth: number) =>
    onStage(async (stage) => {
      await killed(stage, nth, () => stage.up())
      expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
      expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
      const { observed } = await stage.plan()
      expect(observed.machines.map(({ name, isToAdopt }) => [name, isToAdopt]).sort()).toEqual(
        machines.map(({ name }) => [name, undefined]).sort(),
      )
    })
  expect(await forEveryCall(count, story, { oneIn: oneIn(1), sideBySide: 1 })).toEqual([])
})

test('the first up after an adoption, killed at its calls: letting go leaves every VM as it was', async () => {
  const count = await calls((stage) => stage.up(), nothing)
  const story = (nth: number) =>
    onStage(async (stage) => {
      await killed(stage, nth, () => stage.up())
      await stage.eject({ forceUnlock: true })
      expect(vmOptions(stage.lab)).toEqual(adopted.vms)
      expect(Object.keys(stage.lab.proxmox.save().state.pools)).toEqual([])
    })
  expect(await forEveryCall(count, story, { oneIn: oneIn(2), sideBySide: 1 })).toEqual([])
})

test('letting go, killed at its calls: the next one leaves nothing of ichor behind', async () => {
  const count = await calls(
    (stage) => stage.eject(),
    (stage) => stage.up(),
  )
  const story = (nth: number) =>
    onStage(async (stage) => {
      await stage.up()
      await killed(stage, nth, () => stage.eject())
      await stage.eject({ forceUnlock: true })
      expect(vmOptions(stage.lab)).toEqual(adopted.vms)
      expect(Object.keys(stage.lab.proxmox.save().state.pools)).toEqual([])
    })
  expect(await forEveryCall(count, story, { oneIn: oneIn(2), sideBySide: 1 })).toEqual([])
})
