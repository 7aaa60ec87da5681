import { afterEach, expect, test } from 'vitest'
import { readMark, writeMark } from '../../src/ownership/mark.js'
import { createSealer } from '../../src/ownership/seal.js'
import { byHand, type Hand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { notesOf } from '../support/plan-notes.js'

let stage: Stage
afterEach(() => stage.close())

const yaml = (workers: number) => clusterYaml({ controlPlanes: 1, workers })

async function aCluster(workers: number): Promise<Hand> {
  stage = await aStage({ speed: 1000, topology: aTopology(), files: { 'cluster.yaml': yaml(workers) } })
  await stage.up()
  return byHand(stage)
}

/** A tenant of our pool makes a VM that says of itself what one of our machines did. */
async function forge(hand: Hand, vmid: number, said: Readonly<Record<string, string>>): Promise<void> {
  const { description = '', smbios1 = '', net0 = '', tags = '', name = '' } = said
  const options = { name, description, smbios1, net0, tags, memory: 1024, cores: 1, pool: 'ichor-dev' }
  await hand.wait(hand.world.proxmox.machines.create({ host: 'pve1', vmid }, options, hand.signal))
}

/** What anybody asked to be done to that VM since. */
function changesOf(vmid: number, since: number): string[] {
  const asked = stage.lab.proxmox.requests().slice(since)
  return asked.filter(({ path, mutating }) => mutating && path.includes(`/qemu/${vmid}`)).map(({ path }) => path)
}

test('a sealed mark that a tenant copies onto his VM, with UUID and MAC, makes it a copy: nobody touches it', async () => {
  const hand = await aCluster(1)
  await forge(hand, 7000, await hand.options('dev-wk-1'))
  const since = stage.lab.proxmox.requests().length
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  expect(notesOf((await stage.plan()).plan).join()).toContain('VM 7000 on pve1 is a copy')
  await stage.write('cluster.yaml', yaml(0))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(changesOf(7000, since)).toEqual([])
})

test('an old sealed mark, replayed under the VMID that the machine had, makes nobody a machine: it gets no config', async () => {
  const hand = await aCluster(2)
  const { vmid } = await hand.vm('dev-wk-2')
  const old = await hand.options('dev-wk-2')
  await stage.write('cluster.yaml', yaml(1))
  await stage.up()
  await forge(hand, vmid, old)
  const since = stage.lab.proxmox.requests().length
  expect((await stage.plan()).observed.machines.map(({ name }) => name)).not.toContain('dev-wk-2')
  await stage.up().catch(() => undefined)
  // Wanted again: the tenant would be given what only a worker may know.
  await stage.write('cluster.yaml', yaml(2))
  await expect(stage.up()).rejects.toThrow(`VM ${vmid} on pve1`)
  expect(changesOf(vmid, since)).toEqual([])
})

/** The sealed mark that our VM had while a run, which ended long ago, was at work on it. */
async function noteOfAnOldRun(hand: Hand, name: string, asked: Readonly<Record<string, string>>): Promise<string> {
  const { description = '' } = await hand.options(name)
  const written = readMark(description)
  const bundle = (await hand.world.secrets.find())?.bundle
  if (written === undefined || bundle === undefined) throw new Error('there are a mark and secrets')
  const mark = { ...written.mark, more: { ...written.mark.more, ...asked, lease: '1' } }
  return writeMark(description, mark, createSealer(bundle.cluster))
}

test.each([
  { what: 'a reboot', asked: { reboot: 'run-1' } },
  { what: 'a replacement', asked: { replace: 'run-1' } },
  { what: 'a restart after a restore', asked: { restart: 'dev-20260101T000000Z-00000000' } },
  {
    what: 'a trial, whose end would put its card on the bridge of somebody else',
    asked: {
      trial: '0123456789ab 2026-01-01T00:00:00.000Z',
      'trial-net0': 'virtio=BC:24:11:00:00:01,bridge=theirs',
    },
  },
  { what: 'a trial of firewall rules', asked: { 'firewall-trial': 'ichor-0123456789ab 2026-01-01T00:00:00.000Z' } },
])('an older sealed note of our VM that asks for $what, put back by a tenant, asks for nothing', async ({ asked }) => {
  const hand = await aCluster(1)
  const { vmid } = await hand.vm('dev-wk-1')
  await hand.set('dev-wk-1', { description: await noteOfAnOldRun(hand, 'dev-wk-1', asked) })
  const since = stage.lab.proxmox.requests().length
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(changesOf(vmid, since)).toEqual([])
})
