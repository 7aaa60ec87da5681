import { Code } from '@connectrpc/connect'
import { afterEach, expect, test } from 'vitest'
import { ApplyConfigurationRequest_Mode as Mode } from '../../../wire/machine/machine_pb.js'
import type { Hardware, VirtualDisk } from '../../core/guest.js'
import { blockDevices } from '../disks/drives.js'
import { aCluster } from '../testing/a-cluster.js'
import { aLab, type BootInput, type TestLab, until } from '../testing/a-lab.js'
import { aNode, specOf } from '../testing/a-node.js'

const gib = 1024 ** 3
const volumes = 'VolumeStatuses.block.talos.dev'
const both =
  'disk.serial == "ichor-scsi1" || disk.symlinks.exists(s, s.endsWith("_ichor-scsi1") || s.endsWith("_drive-scsi1"))'
let lab: TestLab
afterEach(() => lab.close())

function dataDisk(more: Partial<VirtualDisk> = {}): VirtualDisk {
  return { slot: 'scsi1', size: 10 * gib, serial: 'ichor-scsi1', content: {}, ...more }
}

function volume(match: string, more = ''): string {
  return `---\napiVersion: v1alpha1\nkind: UserVolumeConfig\nname: data\nprovisioning:\n  diskSelector:\n    match: ${JSON.stringify(match)}\n  minSize: 9GiB\n${more}`
}

/** `sdb` on some machines, `sda` on others. */
function dataDevice({ hardware }: { hardware: Hardware }): string {
  return blockDevices(hardware).find(({ disk }) => disk?.slot === 'scsi1')?.id ?? ''
}

async function aMachine(extra: string, vm: Partial<BootInput> = {}, machine: object = {}) {
  const cluster = aCluster()
  const boot = { dataDisks: [dataDisk()], ...vm }
  const extended = { ...cluster, config: (input: object) => cluster.config({ ...input, extra, machine }) }
  return aNode(lab, extended, { name: 'cp-1', address: '10.5.0.2', vm: boot })
}

test.each([
  ['before machine version 10.0 the link has the serial', 'pc-q35-9.2', 'scsi-0QEMU_QEMU_HARDDISK_ichor-scsi1'],
  ['since machine version 10.0 it has the drive', 'pc-q35-10.1', 'scsi-0QEMU_QEMU_HARDDISK_drive-scsi1'],
])('%s, and the serial is empty', async (_, machineType, link) => {
  lab = await aLab()
  const node = await aMachine('', { machineType })
  const disk = await specOf(node, 'runtime', 'Disks.block.talos.dev', dataDevice(node))
  expect(disk).toMatchObject({ dev_path: `/dev/${dataDevice(node)}`, transport: 'virtio' })
  expect(disk.serial).toBeUndefined()
  expect(disk.symlinks.filter((path: string) => path.includes('by-id'))).toEqual([`/dev/disk/by-id/${link}`])
})

test('a WWN is the ID of the disk, and in its links', async () => {
  lab = await aLab()
  const node = await aMachine(volume('disk.wwid == "naa.5000c50000000001"'), {
    dataDisks: [dataDisk({ wwn: '0x5000c50000000001' })],
  })
  const { symlinks } = await specOf(node, 'runtime', 'Disks.block.talos.dev', dataDevice(node))
  expect(symlinks).toContain('/dev/disk/by-id/wwn-0x5000c50000000001')
  expect(await specOf(node, 'runtime', volumes, 'u-data')).toMatchObject({
    phase: 'ready',
    location: `/dev/${dataDevice(node)}1`,
  })
})

test('a volume whose selector matches no disk fails, in the words of Talos, and takes no other disk', async () => {
  lab = await aLab()
  const node = await aMachine(volume('disk.serial == "ichor-scsi1"'))
  const status = await specOf(node, 'runtime', volumes, 'u-data')
  const mountSpec = expect.objectContaining({ targetPath: 'data', parentId: '/var/mnt' })
  expect(status).toEqual({
    phase: 'failed',
    type: 'partition',
    mountSpec,
    errorMessage: 'no disks matched selector for volume',
  })
})

test.each(['pc-q35-9.2', 'pc-q35-10.1'])('a selector by the links finds the disk on %s', async (machineType) => {
  lab = await aLab()
  const node = await aMachine(volume(both), { machineType })
  expect(await specOf(node, 'runtime', volumes, 'u-data')).toMatchObject({
    phase: 'ready',
    location: `/dev/${dataDevice(node)}1`,
    parentLocation: `/dev/${dataDevice(node)}`,
    filesystem: 'xfs',
  })
  expect(await specOf(node, 'runtime', 'DiscoveredVolumes.block.talos.dev', `${dataDevice(node)}1`)).toMatchObject({
    partition_label: 'u-data',
    parent: dataDevice(node),
  })
})

test('a selector that is repaired takes effect without a reboot', async () => {
  lab = await aLab()
  const node = await aMachine(volume('disk.serial == "ichor-scsi1"'))
  const repaired = node.config.replace(JSON.stringify('disk.serial == "ichor-scsi1"'), JSON.stringify(both))
  await node.machine.applyConfiguration({ data: Buffer.from(repaired), mode: Mode.NO_REBOOT })
  expect(await specOf(node, 'runtime', volumes, 'u-data')).toMatchObject({ phase: 'ready' })
  const stages = lab.ledger
    .entries()
    .filter(({ event, detail }) => event === 'machine.stage' && detail?.stage === 'rebooting')
  expect(stages).toEqual([])
})

test('the system disk has no room for a volume', async () => {
  lab = await aLab()
  const node = await aMachine(volume('system_disk'))
  expect((await specOf(node, 'runtime', volumes, 'u-data')).errorMessage).toBe(
    'no disks matched for volume (1 matched selector): 1 have not enough space, 0 have wrong format, 0 have other issues',
  )
})

test('a volume stays on its disk, whatever its selector says later, and grows with it at the next boot', async () => {
  lab = await aLab()
  const disk = { ...dataDisk(), size: 10 * gib }
  const node = await aMachine(volume(both, '  grow: true\n'), { dataDisks: [disk] })
  const sizeOf = async () => (await specOf(node, 'runtime', volumes, 'u-data'))?.size as number | undefined
  const before = (await sizeOf()) ?? 0
  disk.size = 20 * gib
  expect(await sizeOf()).toBe(before)
  await node.machine.reboot({})
  await until('it has grown', async () => (await sizeOf()) === before + 10 * gib)
  const other = node.config.replace(JSON.stringify(both), JSON.stringify('disk.serial == "x"'))
  await node.machine.applyConfiguration({ data: Buffer.from(other), mode: Mode.NO_REBOOT })
  expect(await sizeOf()).toBe(before + 10 * gib)
})

test('a selector that Talos cannot compile is refused with the config', async () => {
  lab = await aLab()
  const node = await aMachine('')
  const bad = Buffer.from(`${node.config}${volume('disk.size > 120')}`)
  await expect(node.machine.applyConfiguration({ data: bad })).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining("found no matching overload for '_>_' applied to '(uint, int)'"),
  })
})

test('a path in machine.disks that does not exist holds the boot', async () => {
  lab = await aLab()
  const path = '/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_ichor-scsi1'
  const machine = { disks: [{ device: path, partitions: [{ mountpoint: '/var/mnt/data' }] }] }
  const node = await aMachine('', { medium: { talos: 'v1.9.6' } }, machine)
  await until('it says so', async () => {
    const lines = []
    for await (const { bytes } of node.machine.dmesg({})) lines.push(Buffer.from(bytes).toString())
    return lines.join('').includes(`error resolving device path: lstat ${path}: no such file or directory`)
  })
  expect((await node.machine.serviceList({})).messages[0]?.services.map(({ id }) => id)).not.toContain('kubelet')
})

test('the kernel names disks in no certain order: their links say which is which', async () => {
  lab = await aLab()
  const orders = [3100, 3101, 3102, 3103, 3104, 3105, 3106, 3107].map((vmid) => {
    const { hardware } = lab.boot({ name: `vm-${vmid}`, vmid, dataDisks: [dataDisk()] })
    return blockDevices(hardware)
      .map(({ disk }) => disk?.slot)
      .join()
  })
  expect(new Set(orders)).toEqual(new Set(['scsi0,scsi1', 'scsi1,scsi0']))
})
