import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { configPath } from '../../src/render/config-path.js'
import { clearTextOf } from '../../src/secrets/file-store.js'
import { readConfig } from '../../src/talos/config/read-config.js'
import { byTitleOf } from '../support/config-documents.js'
import {
  aForeignMachine,
  type ForeignMachine,
  foreignTalosconfig,
  foreignTopology,
  makeForeignCluster,
} from '../support/foreign-cluster.js'
import { mutatingCalls } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const signal = AbortSignal.timeout(300_000)
const env = ['-i', 'env', '--lab']

async function aForeignCluster(machines: readonly ForeignMachine[]) {
  const files = { 'cluster.yaml': 'cluster_name: nothing\nnetwork: { mode: dhcp }\n' }
  program = await aProgram(files, { topology: foreignTopology(machines), speed: 1000 })
  const connected = await program.connect()
  const made = await makeForeignCluster(connected, machines, signal)
  await writeFile(join(program.folder, 'talosconfig'), await foreignTalosconfig(made.bundle, machines), { mode: 0o600 })
  return { ...made, world: connected.world, lab: program.lab().lab }
}

const adopt = (...more: readonly string[]) =>
  program.run(['adopt', '--talosconfig', 'talosconfig', '--out', 'env', '--lab', ...more])
/** The kinds of steps in a plan, without those that only wait. */
async function plannedKinds(): Promise<string[]> {
  const plans = (await program.run(['plan', '--json', ...env])).json()
  const steps = plans.flatMap((plan) => plan.steps as { readonly kind: string }[])
  return [...new Set(steps.map(({ kind }) => kind))].filter((kind) => !/^(check|confirm)-health$/.test(kind)).sort()
}

const three = [aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker'), aForeignMachine(3, 'worker')]

test('a cluster made by hand is written down and taken over: no restart, no config, and nothing is left to do', async () => {
  const { lab, configs } = await aForeignCluster(three)
  const before = mutatingCalls(lab).length
  const bootsBefore = JSON.stringify(lab.availability.machineOutages())
  expect(await adopt('--strict')).toMatchObject({ code: 0, stdout: expect.stringContaining('VM 701 (talos-c1)') })
  // Until the first up, nothing anywhere has changed.
  expect(mutatingCalls(lab).slice(before)).toEqual([])

  expect((await program.run(['render', '--out', 'rendered', ...env])).code).toBe(0)
  for (const { name } of three) {
    const rendered = await readFile(join(program.folder, 'rendered', configPath(name)), 'utf8')
    expect(byTitleOf(readConfig(rendered, name))).toEqual(byTitleOf(readConfig(configs.get(name) ?? '', name)))
  }

  expect(await plannedKinds()).toEqual(['adopt-machine'])

  expect((await program.run(['up', '--yes', ...env])).code).toBe(0)
  const calls = [...new Set(mutatingCalls(lab).slice(before))].sort()
  expect(calls).toEqual([
    'proxmox POST /pools',
    'proxmox PUT /nodes/pve1/qemu/701/config',
    'proxmox PUT /nodes/pve2/qemu/702/config',
    'proxmox PUT /nodes/pve3/qemu/703/config',
    'proxmox PUT /pools',
  ])
  expect(JSON.stringify(lab.availability.machineOutages())).toBe(bootsBefore)
  expect((await program.run(['plan', ...env])).stdout).toContain('Nothing to do')
}, 300_000)

test('what has no key becomes a patch at the level where it holds, and secrets stay out of git', async () => {
  const password = 'a-password-of-the-registry'
  const machines = [
    aForeignMachine(1, 'controlplane', {
      patch: ({ machine, cluster }) => {
        machine.sysctls = { 'vm.nr_hugepages': '1024' }
        cluster.network = { ...(cluster.network as object), cni: { name: 'none' } }
        cluster.proxy = { disabled: true }
      },
    }),
    aForeignMachine(2, 'worker', {
      options: { net1: 'virtio=BC:24:11:00:01:02,bridge=vmbr0' },
      patch: ({ machine, others }) => {
        machine.sysctls = { 'vm.nr_hugepages': '1024' }
        machine.registries = { config: { 'registry.example.com': { auth: { username: 'ci', password } } } }
        machine.network = { interfaces: [{ interface: 'eth1', mtu: 9000, dhcp: false, addresses: ['10.9.0.12/24'] }] }
        others.push({ apiVersion: 'v1alpha1', kind: 'WatchdogTimerConfig', device: '/dev/watchdog0', timeout: '2m0s' })
      },
    }),
  ]
  const { lab } = await aForeignCluster(machines)
  const before = mutatingCalls(lab).length
  const adopted = await adopt('--strict')
  expect(adopted).toMatchObject({ code: 0 })
  expect(adopted.stdout + adopted.stderr).not.toContain(password)
  const file = (name: string) => readFile(join(program.folder, 'env', name), 'utf8')
  const text = await file('cluster.yaml')
  expect(text).toContain('vm.nr_hugepages: "1024"')
  expect(text).toContain('kube_proxy: false')
  expect(text).toContain('cni: none')
  expect(text).not.toContain(password)
  expect(await file('patches/worker.secret.yaml')).toContain(password)
  expect((await stat(join(program.folder, 'env/patches/worker.secret.yaml'))).mode & 0o077).toBe(0)
  expect(await file('.gitignore')).toContain('patches/*.secret.yaml')
  expect(await file('patches/worker.yaml')).toContain('mtu: 9000')
  expect(await plannedKinds()).toEqual(['adopt-machine'])
  expect(mutatingCalls(lab).slice(before)).toEqual([])
}, 300_000)

test('a machine that is off is left out of the first up, and taken over by a later one when it runs', async () => {
  const { world } = await aForeignCluster(three)
  const off = { host: 'pve3', vmid: 703 }
  await world.proxmox.tasks.wait(await world.proxmox.machines.stop(off, signal), signal)
  expect(await adopt()).toMatchObject({ code: 0, stdout: expect.stringMatching(/Off, so that.*\n {2}talos-w3/) })
  await program.run(['up', '--yes', ...env])
  const marked = async (vmid: number, host: string) =>
    (await world.proxmox.machines.findConfig({ host, vmid }, signal))?.options.description?.includes('```ichor')
  expect([await marked(701, 'pve1'), await marked(702, 'pve2'), await marked(703, 'pve3')]).toEqual([true, true, false])
  await world.proxmox.tasks.wait(await world.proxmox.machines.start(off, signal), signal)
  const tried = async () => {
    await program.run(['up', '--yes', ...env])
    return marked(703, 'pve3')
  }
  await expect.poll(tried, { timeout: 60_000 }).toBe(true)
  expect((await program.run(['plan', ...env])).stdout).toContain('Nothing to do')
}, 300_000)

test('a VM with the recorded UUID and MAC whose node is not of this cluster gets no mark; one in another pool neither', async () => {
  const { world } = await aForeignCluster(three)
  expect(await adopt()).toMatchObject({ code: 0 })
  await world.proxmox.pools.create('others', 'of somebody else', signal)
  await world.proxmox.pools.addVm('others', 702, signal)
  const refused = await program.run(['up', '--yes', ...env])
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('VM 702 of talos-w2 is in the pool others'),
  })
  await world.proxmox.pools.removeVm('others', 702, signal)
  // The address of a worker, in place of its own: the node there has another UUID.
  const path = join(program.folder, 'env/cluster.yaml')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('ip: 10.0.10.73', 'ip: 10.0.10.74').replace('ip: 10.0.10.72', 'ip: 10.0.10.73'))
  await program.run(['up', '--yes', ...env])
  const { options } = (await world.proxmox.machines.findConfig({ host: 'pve2', vmid: 702 }, signal)) ?? {}
  expect(options?.description).toBe('made by hand')
}, 300_000)

/** What adopt has written into a folder, its secrets decrypted. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(join(program.folder, folder), { recursive: true })).filter((name) =>
    /\.yaml$/.test(name),
  )
  const texts = names.sort().map(async (name): Promise<[string, string]> => {
    const path = join(program.folder, folder, name)
    return [name, await clearTextOf(await readFile(path, 'utf8'), path, { env: program.env })]
  })
  return Object.fromEntries(await Promise.all(texts))
}

test('a cluster that is let go runs on without a trace of ichor, and is adopted again with the same inventory', async () => {
  const [first, second] = three
  const patch: ForeignMachine['patch'] = ({ machine }) => {
    machine.env = { HTTP_PROXY: 'http://user:canary@proxy.example.com' }
    machine.kubelet = { ...(machine.kubelet as object), extraArgs: { v: '4' } }
  }
  const machines = [first, second].flatMap((one) =>
    one === undefined ? [] : [{ ...one, ...(one === second && { patch }) }],
  )
  const { world, lab, bundle } = await aForeignCluster(machines)
  await adopt()
  const file = (name: string) => readFile(join(program.folder, name), 'utf8')
  const written = await filesIn('env')
  expect(Object.keys(written).filter((name) => name.startsWith('patches/'))).not.toEqual([])
  const options = async ({ host, vmid }: ForeignMachine) =>
    (await world.proxmox.machines.findConfig({ host, vmid }, signal))?.options
  const before = await Promise.all(machines.map(options))
  expect((await program.run(['up', '--yes', ...env])).code).toBe(0)
  const boots = JSON.stringify(lab.availability.machineOutages())
  const shown = await program.run(['eject', '--dry-run', ...env])
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('machines to change') })
  expect(shown.stdout).not.toContain('to delete')
  const ejected = await program.run(['eject', '--yes', '--out', 'ejected', ...env])
  expect(ejected).toMatchObject({ code: 0, stdout: expect.stringContaining('homelab is released') })
  expect(await Promise.all(machines.map(options))).toEqual(before)
  expect((await world.proxmox.pools.list(signal)).map(({ id }) => id)).toEqual([])
  expect(JSON.stringify(lab.availability.machineOutages())).toBe(boots)
  expect(await file('ejected/secrets.yaml')).toContain('trustdinfo')
  const terraform = await file('ejected/terraform-import/main.tf')
  expect(terraform).toContain('id = "pve2/702"')
  expect(terraform).toContain('description = "made by hand"')
  expect(terraform).toContain('tags = ["talos"]')
  expect(terraform.match(/prevent_destroy = true/g)).toHaveLength(3)
  expect(terraform).not.toMatch(/ichor-|clone|import_from/)
  expect(await file('ejected/talconfig.yaml')).toContain('hostname: "talos-w2"')
  for (const { name } of machines)
    expect(await file(`ejected/talhelper/${name}-set.yaml`)).not.toContain(bundle.trustdinfo.token)
  const again = ['adopt', '--secrets', 'ejected/secrets.yaml', '--node', '10.0.10.71', '--out', 'again', '--lab']
  expect((await program.run(again)).code).toBe(0)
  expect(await filesIn('again')).toEqual(written)
}, 300_000)

test.each([
  ['nothing', ''],
  ['no talosconfig', 'context: x\ncontexts: { x: { endpoints: [10.0.10.71], ca: hidden-value } }'],
  ['hostile names', 'context: __proto__\ncontexts: { __proto__: { ca: hidden-value } }'],
])('a talosconfig with %s is refused, and no value of it is shown', async (_, text) => {
  program = await aProgram({ 'cluster.yaml': 'cluster_name: nothing\n' }, { topology: foreignTopology(three) })
  await writeFile(join(program.folder, 'talosconfig'), text)
  const refused = await adopt()
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('talosconfig cannot be used') })
  expect(refused.stderr).not.toContain('hidden-value')
})
