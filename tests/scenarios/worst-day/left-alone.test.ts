import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PlanRefused } from '../../../src/errors.js'
import { byHand } from '../../support/by-hand.js'
import { withoutNodeLists } from '../../support/cut-off.js'
import { mutatingCalls, type Stage } from '../../support/lab.js'
import { whatIsThere } from '../../support/left-behind.js'
import { notesOf } from '../../support/plan-notes.js'
import { untaggedAndAway } from '../../support/refused-stories.js'
import { aWorstDay, secretsFile, tell, uuidOf, wanting } from '../../support/worst-day.js'

let stage: Stage
beforeAll(async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(1, 2) } })
  await stage.up()
})
afterAll(() => stage.close())

/** Refused with that problem, before anything was changed. */
async function isRefused(run: () => Promise<unknown>, problem: string | RegExp, fix = ''): Promise<void> {
  const before = mutatingCalls(stage.lab).length
  const refusal = await run().catch((thrown: unknown) => thrown)
  expect(refusal).toBeInstanceOf(PlanRefused)
  expect((refusal as PlanRefused).message).toMatch(problem)
  expect((refusal as PlanRefused).fix).toContain(fix)
  expect(mutatingCalls(stage.lab)).toHaveLength(before)
}

async function isAsItWas(): Promise<void> {
  expect((await stage.up()).outcome).toMatch(/^(done|nothing-to-do)$/)
  expect(whatIsThere(stage.lab).vms).toHaveLength(3)
}

test('a worker that Proxmox protects is not wanted any more: refused before it is drained', async () => {
  const hand = await byHand(stage)
  await hand.set('dev-wk-2', { protection: 1 })
  await stage.write('cluster.yaml', wanting(1, 1))
  await isRefused(() => stage.up(), /^dev-wk-2 \(VM \d+\) is protected in Proxmox\.$/, 'Remove the protection')
  expect(stage.lab.talos.machines().every(({ isReady }) => isReady)).toBe(true)
  await hand.set('dev-wk-2', { protection: 0 })
  await stage.write('cluster.yaml', wanting(1, 2))
  await isAsItWas()
})

test('the system disk of a running control plane is detached: no empty one takes its place', async () => {
  const hand = await byHand(stage)
  const { scsi0 = '' } = await hand.options('dev-cp-1')
  const { machines } = hand.world.proxmox
  await machines.setOptions(await hand.vm('dev-cp-1'), { delete: ['scsi0'] }, hand.signal)
  await isRefused(() => stage.up(), 'The system disk of dev-cp-1 is detached', 'Attach the disk again as scsi0')
  await hand.stop('dev-cp-1')
  await isRefused(() => stage.up(), 'The system disk of dev-cp-1 is detached', 'Attach the disk again as scsi0')
  await hand.set('dev-cp-1', { scsi0 })
  await hand.set('dev-cp-1', { boot: 'order=scsi0' })
  await isAsItWas()
})

test('one VM is moved to another pool: up and destroy say which, and how it comes back', async () => {
  const hand = await byHand(stage)
  const { vmid } = await hand.vm('dev-wk-1')
  const { pools } = hand.world.proxmox
  await pools.create('others', '', hand.signal)
  await hand.putIntoPool('others', vmid)
  const problem = new RegExp(
    `VM ${vmid} on \\w+ is marked as dev-wk-1, and is in the pool others in place of ichor-dev`,
  )
  const fix = `pvesh set /pools --poolid ichor-dev --vms ${vmid} --allow-move 1`
  await isRefused(() => stage.up(), problem, fix)
  await isRefused(() => stage.destroy(), problem, fix)
  await hand.putIntoPool('ichor-dev', vmid)
  await isAsItWas()
})

test('somebody changes the VMID in the mark of a control plane: up names the VM, not its address', async () => {
  const hand = await byHand(stage)
  const { vmid } = await hand.vm('dev-cp-1')
  const { description = '' } = await hand.options('dev-cp-1')
  await hand.set('dev-cp-1', { description: description.replace(`vmid: ${vmid}`, 'vmid: 4242') })
  await isRefused(() => stage.up(), new RegExp(`VM ${vmid} on pve`))
  await hand.set('dev-cp-1', { description })
  await isAsItWas()
})

test('the Proxmox cluster has lost its quorum: plan says so before anybody is asked', async () => {
  await stage.lab.proxmox.setQuorate(false)
  expect(notesOf((await stage.plan()).plan)).toContainEqual(
    expect.stringMatching(/^The Proxmox cluster has lost its quorum/),
  )
  await stage.lab.proxmox.setQuorate(true)
})

test('a worker that is not wanted any more has lost its mark: it stays, and up and status say so', async () => {
  const hand = await byHand(stage)
  const { vmid, host } = await hand.vm('dev-wk-2')
  const { description = '' } = await hand.options('dev-wk-2')
  await hand.set('dev-wk-2', { description: 'mine' })
  await stage.write('cluster.yaml', wanting(1, 1))
  expect((await stage.up()).outcome).toBe('nothing-to-do')
  const text = expect.stringContaining(
    `VM ${vmid} on ${host} (dev-wk-2) has the pool or tag of this cluster but no ichor mark`,
  )
  expect(stage.events).toContainEqual(expect.objectContaining({ type: 'run.noted', severity: 'warning', text }))
  expect(notesOf((await stage.plan()).plan)).toContainEqual(text)
  await hand.stop('dev-wk-2')
  expect((await stage.plan()).plan.steps.map(({ kind }) => kind)).not.toContain('delete-node')
  await hand.set('dev-wk-2', { description })
  await stage.write('cluster.yaml', wanting(1, 2))
  await isAsItWas()
})

test.each([1, 2])(
  'an interrupted run left a worker cordoned, and Kubernetes is not heard at first (%d): it takes work again',
  async (looks) => {
    const hand = await byHand(stage)
    await hand.world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }]).cordon('dev-wk-1', hand.signal)
    expect((await stage.up({ through: (world) => withoutNodeLists(looks, world) })).outcome).toBe('done')
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  },
)

test('the secrets are lost: up makes nothing, and destroy lists the VMs of the pool before it asks', async () => {
  const file = join(stage.folder, secretsFile)
  await rename(file, `${file}.lost`)
  await isRefused(
    () => stage.up(),
    'belong to this cluster, or to another one with its name, and the secrets are missing',
  )
  const { plan } = await stage.plan('destroy')
  expect(plan.steps.filter(({ kind }) => kind === 'delete-machine')).toHaveLength(3)
  await rename(`${file}.lost`, file)
  await isAsItWas()
})

test('a worker is not wanted any more and its host is down: that is not called done', async () => {
  const { host } = await (await byHand(stage)).vm('dev-wk-2')
  await stage.lab.proxmox.setHostOnline(host, false)
  await stage.write('cluster.yaml', wanting(1, 1))
  await expect(stage.up()).rejects.toMatchObject({ code: 'incomplete', exitCode: 1 })
  await stage.lab.proxmox.setHostOnline(host, true)
  await stage.write('cluster.yaml', wanting(1, 2))
  await isAsItWas()
})

test(untaggedAndAway.name, async () => {
  const uuid = uuidOf(stage, 'dev-wk-2')
  await tell(stage, untaggedAndAway)
  expect(uuidOf(stage, 'dev-wk-2')).toBe(uuid)
})
