import { afterEach, expect, test } from 'vitest'
import { aForeignMachine, type GeneratedConfig } from '../support/foreign-cluster.js'
import { aForeignEnvironment, type ForeignEnvironment } from '../support/foreign-environment.js'

let foreign: ForeignEnvironment
afterEach(() => foreign.program.close())

const variable = (what: string) => ['$', `{${what}.version}`].join('')
const hugePages = { 'vm.nr_hugepages': '1024' }

test('a machine that is off at the adoption keeps its own config, and the others share their patches', async () => {
  const registries = { config: { 'registry.example.com': { tls: { insecureSkipVerify: true } } } }
  const first = aForeignMachine(1, 'controlplane', {
    patch: ({ machine }) => void Object.assign(machine, { registries }),
  })
  const second = aForeignMachine(2, 'worker', { patch: ({ machine }) => void Object.assign(machine, { registries }) })
  const off = aForeignMachine(3, 'worker', {
    patch: ({ machine }) => {
      machine.registries = registries
      machine.network = { interfaces: [{ interface: 'eth0', dhcp: false, addresses: ['10.0.10.73/24'] }] }
      machine.sysctls = hugePages
    },
  })
  foreign = await aForeignEnvironment([first, second, off])
  await foreign.power(off, 'stop')
  expect(await foreign.adopt('--strict')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('talos-w3: it is off'),
  })
  expect(await foreign.adopt()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Off, so that its config is not known.*\n {2}talos-w3/),
  })
  // What two machines of three have is still common to those that were read.
  expect(await foreign.file('env/patches/cluster.yaml')).toContain('registry.example.com')
  expect(await foreign.file('env/cluster.yaml')).toContain('unread: true')

  await foreign.env('up', '--yes')
  expect([await foreign.isMarked(first), await foreign.isMarked(off)]).toEqual([true, false])
  await foreign.power(off, 'start')
  const takenOver = async () => {
    await foreign.env('up', '--yes')
    return foreign.isMarked(off)
  }
  await expect.poll(takenOver, { timeout: 60_000 }).toBe(true)
  const plan = await foreign.env('plan')
  expect(plan.stdout).toContain('Nothing to do')
  expect(plan.stdout).toContain('talos-w3: its config was not read')
  expect((await foreign.running(off)).config).toContain('10.0.10.73/24')

  // The same folder again: what runs becomes its patch, and from then on ichor manages its config, too.
  const again = await foreign.program.run(['adopt', '--out', 'env', '--lab'])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('talos-w3') })
  expect(await foreign.file('env/patches/node-talos-w3.yaml')).toContain('10.0.10.73/24')
  expect(await foreign.file('env/cluster.yaml')).not.toContain('unread: true')
  expect(await foreign.plannedKinds()).toEqual([])
}, 300_000)

test('versions and schematics apart stay so until ichor upgrade is asked', async () => {
  const older = aForeignMachine(2, 'worker', {
    patch: ({ machine }) => {
      machine.install = { disk: '/dev/sda', image: 'ghcr.io/siderolabs/installer:v1.13.8', wipe: false }
      machine.kubelet = { ...(machine.kubelet as object), image: 'ghcr.io/siderolabs/kubelet:v1.36.2' }
    },
  })
  foreign = await aForeignEnvironment([aForeignMachine(1, 'controlplane'), older, aForeignMachine(3, 'worker')])
  expect(await foreign.adopt('--strict')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('talos-w2: it runs Talos v1.13.8 and Kubernetes v1.36.2'),
  })
  expect(await foreign.adopt()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /stay as they are until ichor upgrade.*\n {2}talos-w2: Talos v1\.13\.8 and Kubernetes v1\.36\.2/,
    ),
  })
  const restarts = foreign.restarts()
  expect(await foreign.plannedKinds()).toEqual(['adopt-machine'])
  expect((await foreign.env('up', '--yes')).code).toBe(0)
  expect(foreign.restarts()).toBe(restarts)
  expect((await foreign.env('plan')).stdout).toMatch(
    /Nothing to do[\s\S]*talos-w2: stays on Talos v1\.13\.8 and Kubernetes v1\.36\.2/,
  )

  expect(await foreign.env('upgrade', '--yes')).toMatchObject({ code: 0 })
  const { config, version } = await foreign.running(older)
  expect([version, config.includes('kubelet:v1.36.3')]).toEqual(['v1.13.9', true])
  expect(await foreign.file('env/cluster.yaml')).not.toContain('talos: v1.13.8')
  expect(await foreign.plannedKinds()).toEqual([])
}, 300_000)

test('the installer and the images of the former tool stay with its machines, and follow an upgrade', async () => {
  const mirrored = ({ machine }: GeneratedConfig) => {
    machine.kubelet = { ...(machine.kubelet as object), image: 'mirror.example.com/kubelet:v1.36.3' }
  }
  foreign = await aForeignEnvironment([
    aForeignMachine(1, 'controlplane', { patch: mirrored }),
    aForeignMachine(2, 'worker', { patch: mirrored }),
  ])
  expect(await foreign.adopt('--strict')).toMatchObject({ code: 0 })
  const node = await foreign.file('env/patches/node-talos-w2.yaml')
  expect(node).toContain(`image: mirror.example.com/kubelet:${variable('kubernetes')}`)
  expect(node).toContain(`image: ghcr.io/siderolabs/installer:${variable('talos')}`)
  for (const level of ['cluster', 'worker', 'control-plane'])
    expect(await foreign.file(`env/patches/${level}.yaml`).catch(() => '')).not.toContain('image:')
  expect(await foreign.plannedKinds()).toEqual(['adopt-machine'])
}, 300_000)

test('a node that ichor cannot manage is known, and never called lost: its etcd member stays', async () => {
  const outside = aForeignMachine(3, 'controlplane', {
    patch: ({ machine }) => {
      machine.install = { ...(machine.install as object), disk: '/dev/vda' }
    },
    options: { scsi0: undefined, virtio0: 'local-lvm:32', boot: 'order=virtio0;ide2;net0' },
  })
  const machines = [1, 2].map((number) => aForeignMachine(number, 'controlplane'))
  foreign = await aForeignEnvironment([...machines, outside])
  expect(await foreign.adopt()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('talos-c3: VM 703 boots from'),
  })
  expect(await foreign.file('env/cluster.yaml')).toMatch(/unmanaged_nodes:\n {2}- talos-c3/)
  expect(await foreign.env('up', '--yes')).toMatchObject({ code: 0 })
  await foreign.power(outside, 'stop')
  expect(await foreign.plannedKinds()).toEqual([])
  const doctor = await foreign.env('doctor')
  expect(doctor.stdout).not.toContain('ICH0510')
  expect(doctor.stdout).not.toContain('ICH0604')
}, 300_000)

test('an adoption is undone: every VM is as it was, and the files stay', async () => {
  const machines = [aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker')]
  foreign = await aForeignEnvironment(machines)
  await foreign.adopt()
  const abort = () => foreign.program.run(['adopt', '--abort', '--yes', '--out', 'env', '--lab'])
  expect(await abort()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing of homelab to release') })
  expect(foreign.changes()).toEqual([])
  const { proxmox } = foreign.world
  const options = () =>
    Promise.all(
      machines.map(
        async ({ host, vmid }) => (await proxmox.machines.findConfig({ host, vmid }, foreign.signal))?.options,
      ),
    )
  const before = await options()
  expect((await foreign.env('up', '--yes')).code).toBe(0)
  expect(await abort()).toMatchObject({ code: 0, stdout: expect.stringContaining('homelab is released') })
  expect(await options()).toEqual(before)
  expect(await proxmox.pools.list(foreign.signal)).toEqual([])
  expect(await foreign.file('env/cluster.yaml')).toContain('cluster_name: homelab')
}, 300_000)
