import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { objectsInEtcd } from '../support/etcd-objects.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { bootstraps } from '../support/left-behind.js'
import { aConfigMap, aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const options = { topology: aTopology({ hosts: 3 }), speed: 1000 }

async function aCluster(workers = 1): Promise<string> {
  program = await aProgram({ 'cluster.yaml': clusterYaml({ workers }) }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await program.apply(aConfigMap('precious'), aConfigMap('other'))
  return backUp()
}

async function backUp(): Promise<string> {
  const { json, code } = await program.ichor(['backup', '--json'])
  expect(code).toBe(0)
  const { snapshot } = json().at(-1) as { snapshot: { name: string } }
  return snapshot.name
}

test('everything but the repository and a snapshot is lost: restore brings the same objects back', async () => {
  const name = await aCluster()
  const before = await objectsInEtcd((await program.connect()).world)
  expect(before.has('/registry/configmaps/default/precious')).toBe(true)
  await program.loseEverything()
  const restored = await program.ichor(['restore', name, '--yes'])
  expect(restored).toMatchObject({ code: 0 })
  const after = await objectsInEtcd((await program.connect()).world)
  for (const [key, object] of before) expect({ key, object: after.get(key) }).toEqual({ key, object })
  expect(bootstraps(program.lab().lab)).toBe(1)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing to do'),
  })
})

test('the lease of a restore holds the run of its events and of its journal', async () => {
  const name = await aCluster()
  const { world } = await program.connect()
  const leases = new Set<string>()
  const restored = program.ichor(['restore', name, '--over-healthy', '--yes', '--json'])
  const end = restored.then(() => 'ended' as const)
  do {
    for (const { id, comment = '' } of await world.proxmox.pools.list(AbortSignal.timeout(20_000)))
      if (id.includes('/lease') && comment.startsWith('{')) leases.add(JSON.parse(comment).run)
  } while ((await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 20))])) !== 'ended')
  const { code, json } = await restored
  expect(code).toBe(0)
  const runs = new Set(json().flatMap(({ run }) => (run === undefined ? [] : [run])))
  expect(leases).toEqual(runs)
  expect(runs.size).toBe(1)
  const folder = join(program.folder, '.ichor', 'journal')
  const journals = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
  for (const run of runs) expect(journals.filter((text) => text.includes(`"run":"${run}"`))).toHaveLength(1)
})

test('two of three control planes are lost for good: what is left is copied, etcd comes back, who ran through it restarts', async () => {
  const name = await aCluster()
  await program.apply(aConfigMap('newer'))
  const { world } = await program.connect()
  const signal = AbortSignal.timeout(50_000)

  // Nothing is replaced that is well; what would be lost is said.
  const refused = await program.ichor(['restore', name, '--yes', '--json'])
  expect(refused.json().at(-1)).toMatchObject({ error: { fix: expect.stringContaining('--over-healthy') } })
  const dry = await program.ichor(['restore', name, '--over-healthy', '--dry-run', '--json'])
  const plan = dry.json().at(-1) as { notes: string[]; steps: { kind: string }[] }
  expect(plan.notes.join('\n')).toMatch(/1 object exists now and not in the snapshot: configmaps default\/newer\./)
  expect(plan.steps.map(({ kind }) => kind).slice(0, 2)).toEqual(['save-etcd', 'begin-recovery'])

  const volume = 'pvc-0b5a2c7e-1111-4222-8333-444455556666'
  await program.apply({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: volume }, spec: {} })
  const again = await program.ichor(['restore', name, '--over-healthy', '--dry-run'])
  expect(again.stdout.replace(/\s+/g, ' ')).toContain(`A volume is newer than the snapshot, and is kept`)
  expect(again.stdout).toContain(volume)
  expect(again.stdout).toContain('the same command with --dry-run --steps')

  const { guests } = await world.proxmox.cluster.resources(signal)
  for (const lost of guests.filter((guest) => /cp-[12]/.test(guest.name ?? ''))) {
    const vm = { host: lost.host, vmid: lost.vmid }
    await world.proxmox.tasks.wait(await world.proxmox.machines.stop(vm, signal), signal)
    await world.proxmox.tasks.wait(await world.proxmox.machines.remove(vm, signal), signal)
  }
  const up = await program.ichor(['up', '--yes'])
  expect(up).toMatchObject({ code: 3, stderr: expect.stringContaining('ichor restore') })

  const restored = await program.ichor(['restore', name, '--yes'])
  expect(restored).toMatchObject({ code: 0 })
  const after = await objectsInEtcd((await program.connect()).world)
  expect(after.has('/registry/configmaps/default/precious')).toBe(true)
  expect(after.has('/registry/configmaps/default/newer')).toBe(false)
  expect(restored.stderr).toContain('reboot dev-wk-1, which ran through the restore')
  const listed = await program.ichor(['backup', 'list'])
  expect(listed.stdout).toContain('raw copy of dev-cp-3')
  const vms = (await world.proxmox.cluster.resources(signal)).guests
  const worker = vms.find((guest) => guest.name === 'dev-wk-1')
  const config = await world.proxmox.machines.findConfig({ host: worker?.host ?? '', vmid: worker?.vmid ?? 0 }, signal)
  expect(config?.options.description).not.toContain('restart:')
})
