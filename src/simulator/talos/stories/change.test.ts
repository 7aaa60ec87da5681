import { Code } from '@connectrpc/connect'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ContainerDriver, ContainerdNamespace } from '../../../wire/common/common_pb.js'
import { ApplyConfigurationRequest_Mode as Mode } from '../../../wire/machine/machine_pb.js'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, credentialsOf, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, bootstrap, isOpen, specOf, stageOf } from '../testing/a-node.js'

const schematic = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515'
const installer = (version: string) => `factory.talos.dev/nocloud-installer/${schematic}:${version}`
const containerd = { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_SYSTEM }

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster()
})
afterEach(() => lab.close())

async function aRunningNode(talos = 'v1.13.9') {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2', vm: { medium: { talos } } })
  await bootstrap(node)
  await until('it runs', async () => (await stageOf(node)) === 'running')
  return node
}

async function comesBack() {
  await until('it goes down', () => !isOpen(lab, '10.5.0.2'))
  await until('it comes back', () => isOpen(lab, '10.5.0.2'))
  return adminOf(lab, cluster, '10.5.0.2')
}

async function tagOf(node: ReturnType<typeof adminOf>): Promise<string | undefined> {
  return (await node.machine.version({})).messages[0]?.version?.tag
}

async function installByLifecycle(node: ReturnType<typeof adminOf>, image: string): Promise<number | undefined> {
  for await (const _ of node.images.pull({ containerd, imageRef: image }));
  let exitCode: number | undefined
  for await (const { progress } of node.lifecycle.upgrade({ containerd, source: { imageName: image } })) {
    if (progress?.response.case === 'exitCode') exitCode = progress.response.value
  }
  return exitCode
}

test('the lifecycle service writes the other slot, and the next reboot boots it', async () => {
  const node = await aRunningNode()
  await expect(installByLifecycle(node, installer('v1.14.1'))).resolves.toBe(0)
  expect(await tagOf(node)).toBe('v1.13.9')
  await node.machine.reboot({})
  const again = await comesBack()
  expect(await tagOf(again)).toBe('v1.14.1')
  await again.machine.rollback({})
  expect(await tagOf(await comesBack())).toBe('v1.13.9')
})

test('an installer two minors away ends with an exit code, and one that was not pulled is refused', async () => {
  const node = await aRunningNode()
  await expect(installByLifecycle(node, installer('v1.16.0'))).resolves.toBe(1)
  const stream = node.lifecycle.upgrade({ containerd, source: { imageName: installer('v1.14.1') } })
  const drain = async () => {
    for await (const _ of stream);
  }
  await expect(drain()).rejects.toMatchObject({ code: Code.Internal })
})

test('a machine that 1.14 runs from its ISO is installed over the API, on the disk that is named', async () => {
  const open = lab.boot({ name: 'live', vmid: 4100, medium: { kind: 'iso', talos: 'v1.14.1' } })
  const address = lab.network.lease(open.hardware.nics[0]?.mac ?? '', 'vmbr0')?.cidr.split('/')[0] ?? ''
  await until('it waits for a config', () => isOpen(lab, address))
  const { install: _, ...machine } = parse(cluster.config({ name: 'live' })).machine
  const data = Buffer.from(stringify({ ...parse(cluster.config({ name: 'live' })), machine }))
  await lab.clients(address).machine.applyConfiguration({ data, mode: Mode.AUTO })
  await until('it is secured', async () => {
    return isOpen(lab, address) && tagOf(adminOf(lab, cluster, address)).then(Boolean, () => false)
  })
  const node = adminOf(lab, cluster, address)
  for await (const _ of node.images.pull({ containerd, imageRef: installer('v1.14.1') }));
  const codes: unknown[] = []
  const destination = { disk: '/dev/sda' }
  for await (const { progress } of node.lifecycle.install({
    containerd,
    source: { imageName: installer('v1.14.1') },
    destination,
  })) {
    if (progress?.response.case === 'exitCode') codes.push(progress.response.value)
  }
  expect(codes).toEqual([0])
  expect(open.hardware.disks[0]?.content.guest).toMatchObject({ kind: 'talos' })
})

test('a version that does not boot falls back to the old slot', async () => {
  const node = await aRunningNode()
  lab.guests.breakImage(installer('v1.14.1'))
  await installByLifecycle(node, installer('v1.14.1'))
  await node.machine.reboot({})
  const again = await comesBack()
  expect(await tagOf(again)).toBe('v1.13.9')
  expect(lab.ledger.entries().some(({ event }) => event === 'machine.fell-back')).toBe(true)
})

test('before 1.13 the node upgrades by itself, and knows no lifecycle service', async () => {
  cluster = aCluster()
  const config = cluster.config({ name: 'cp-1', mac: 'BC:24:11:00:0F:A0', cidr: '10.5.0.2/24', kubernetes: 'v1.35.4' })
  lab.boot({ name: 'cp-1', vmid: 4000, medium: { talos: 'v1.12.11' }, seed: { 'user-data': config } })
  await until('it answers', () => isOpen(lab, '10.5.0.2'))
  const node = adminOf(lab, cluster, '10.5.0.2')
  const pulled = async () => {
    for await (const _ of node.images.pull({ containerd, imageRef: 'x' }));
  }
  await expect(pulled()).rejects.toMatchObject({ code: Code.Unimplemented })
  await node.machine.upgrade({ image: installer('v1.13.9') })
  expect(await tagOf(await comesBack())).toBe('v1.13.9')
})

test('a reset of STATE and EPHEMERAL with reboot reads the cidata volume again', async () => {
  const node = await aRunningNode()
  const labels = ['STATE', 'EPHEMERAL'].map((label) => ({ label, wipe: true }))
  await node.machine.reset({ graceful: false, reboot: true, systemPartitionsToWipe: labels })
  const again = await comesBack()
  // Until etcd is started, its client dials on until the caller gives up.
  const soon = { timeoutMs: 200 }
  await expect(again.machine.etcdMemberList({}, soon)).rejects.toMatchObject({ code: Code.DeadlineExceeded })
  await expect(again.machine.etcdAlarmList({}, soon)).rejects.toMatchObject({ code: Code.DeadlineExceeded })
})

test('a reset of everything leaves a disk that does not boot, and switches off', async () => {
  const node = await aRunningNode()
  await node.machine.reset({ graceful: false, reboot: false })
  await until('it is off', () => node.offs() === 1)
  expect(node.hardware.disks[0]?.content).toEqual({})
  expect(isOpen(lab, '10.5.0.2')).toBe(false)
})

test('the last member of an etcd cannot leave it gracefully', async () => {
  const node = await aRunningNode()
  await node.machine.reset({ graceful: true, reboot: false })
  await until('the reset has failed and the machine reboots', () => !isOpen(lab, '10.5.0.2'))
  expect(node.hardware.disks[0]?.content.guest).toMatchObject({ kind: 'talos' })
  expect(node.offs()).toBe(0)
})

test.each([
  { mode: Mode.NO_REBOOT, change: { sysctls: { a: '1' } }, persisted: true, active: true },
  { mode: Mode.STAGED, change: { sysctls: { a: '1' } }, persisted: true, active: false },
  { mode: Mode.TRY, change: { sysctls: { a: '1' } }, persisted: false, active: true },
])('mode $mode: persisted $persisted, active $active', async ({ mode, change, persisted, active }) => {
  const node = await aRunningNode()
  const fresh = cluster.config({
    name: 'cp-1',
    mac: node.hardware.nics[0]?.mac ?? '',
    cidr: '10.5.0.2/24',
    machine: change,
  })
  await node.machine.applyConfiguration({ data: Buffer.from(fresh), mode, tryModeTimeout: { seconds: 3600n } })
  const read = (id: string) => specOf(node, 'config', 'MachineConfigs.config.talos.dev', id)
  expect((await read('v1alpha1')) === fresh).toBe(active)
  expect((await read('persistent')) === fresh).toBe(persisted)
})

test('the CA of the API is changed in three steps, and each client works exactly as long as it is accepted', async () => {
  const node = await aRunningNode()
  const next = aCluster()
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const pair = ({ crt, key }: { crt: string; key: string }) => ({ crt: base64(crt), key: base64(key) })
  const apply = async (clients: typeof node | ReturnType<typeof adminOf>, machine: object) => {
    const mac = node.hardware.nics[0]?.mac ?? ''
    const data = Buffer.from(cluster.config({ name: 'cp-1', mac, cidr: '10.5.0.2/24', machine }))
    await clients.machine.applyConfiguration({ data, mode: Mode.NO_REBOOT })
  }
  const mixed = (server: TestCluster, client: TestCluster) =>
    lab.clients('10.5.0.2', credentialsOf(server.os, client.client(['os:admin'])))

  await expect(mixed(cluster, next).machine.version({})).rejects.toThrow()
  await apply(node, { acceptedCAs: [{ crt: base64(next.os.crt) }] })
  await mixed(cluster, next).machine.version({})
  await apply(mixed(cluster, next), { ca: pair(next.os), acceptedCAs: [{ crt: base64(cluster.os.crt) }] })
  await mixed(next, cluster).machine.version({})
  await apply(mixed(next, next), { ca: pair(next.os) })
  await mixed(next, next).machine.version({})
  await expect(mixed(next, cluster).machine.version({})).rejects.toThrow()
})

test('what was only tried is reverted when its time is over', async () => {
  const node = await aRunningNode()
  const fresh = cluster.config({ name: 'cp-9', mac: node.hardware.nics[0]?.mac ?? '', cidr: '10.5.0.2/24' })
  await node.machine.applyConfiguration({ data: Buffer.from(fresh), mode: Mode.TRY, tryModeTimeout: { seconds: 100n } })
  expect((await node.machine.hostname({})).messages[0]?.hostname).toBe('cp-9')
  await until('it is reverted', async () => (await node.machine.hostname({})).messages[0]?.hostname === 'cp-1')
})

test('up to 1.13 a change that needs a reboot reboots in auto mode and is refused without; 1.14 never reboots', async () => {
  const node = await aRunningNode()
  const fresh = (text: string) =>
    Buffer.from(
      cluster.config({
        name: 'cp-1',
        mac: node.hardware.nics[0]?.mac ?? '',
        cidr: '10.5.0.2/24',
        machine: { env: { a: text } },
      }),
    )
  const refused = node.machine.applyConfiguration({ data: fresh('1'), mode: Mode.NO_REBOOT })
  await expect(refused).rejects.toMatchObject({ code: Code.InvalidArgument })
  const applied = await node.machine.applyConfiguration({ data: fresh('1'), mode: Mode.AUTO })
  expect(applied.messages[0]?.mode).toBe(Mode.REBOOT)
  const again = await comesBack()
  await until(
    'it can pull images',
    async () => (await installByLifecycle(again, installer('v1.14.1')).catch(() => 2)) === 0,
  )
  await again.machine.reboot({})
  const newer = await comesBack()
  await expect(newer.machine.applyConfiguration({ data: fresh('2'), mode: Mode.REBOOT })).rejects.toMatchObject({
    code: Code.Unimplemented,
  })
  const auto = await newer.machine.applyConfiguration({ data: fresh('2'), mode: Mode.AUTO })
  expect(auto.messages[0]?.mode).toBe(Mode.NO_REBOOT)
})
