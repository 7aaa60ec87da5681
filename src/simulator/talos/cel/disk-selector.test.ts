import { expect, test } from 'vitest'
import { diskSelector } from './disk-selector.js'

const gib = 1024n ** 3n
const disk = {
  size: 50n * gib,
  io_size: 512n,
  sector_size: 512n,
  readonly: false,
  model: 'QEMU HARDDISK',
  serial: '',
  modalias: '',
  wwid: '',
  bus_path: '',
  sub_system: '/sys/class/block',
  transport: 'virtio',
  rotational: false,
  cdrom: false,
  dev_path: '/dev/sdb',
  pretty_size: '54 GB',
  secondary_disks: [],
  uuid: '',
  symlinks: ['/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi1', '/dev/disk/by-diskseq/2'],
}

test.each([
  ['disk.dev_path == "/dev/sdb"', true],
  ['disk.serial == "ichor-scsi1"', false],
  ["disk.symlinks.exists(s, s.endsWith('_drive-scsi1'))", true],
  ['disk.symlinks.exists(s, s.endsWith("_drive-scsi10"))', false],
  ['disk.serial == "x" || disk.symlinks.exists(s, s.endsWith("_x") || s.endsWith("_drive-scsi1"))', true],
  ['"/dev/disk/by-diskseq/2" in disk.symlinks', true],
  ['disk.symlinks.all(s, s.startsWith("/dev/disk/"))', true],
  ['!system_disk && disk.size > 10u * GiB', true],
  ['disk.size >= 100u * GB ? true : disk.transport == "nvme"', false],
  ['disk.transport in ["virtio", "nvme"]', true],
  ['glob("QEMU*", disk.model)', true],
  ['glob("*.HARDDISK", disk.model)', false],
  ['disk.model.matches("^QEMU") && !disk.rotational && !(disk.cdrom)', true],
  ['size(disk.symlinks) == 2', true],
  ['true', true],
])('%s is %s', (text, is) => {
  expect(diskSelector(text, 13)(disk, false)).toBe(is)
})

test('a selector for the system disk fails while there is none, unless the other side decides', () => {
  expect(() => diskSelector('!system_disk', 13)(disk, undefined)).toThrow('no such attribute(s): system_disk')
  expect(diskSelector('disk.rotational && system_disk', 13)(disk, undefined)).toBe(false)
})

test.each([
  ['disk.size > 120', "1:11: found no matching overload for '_>_' applied to '(uint, int)'"],
  ['disk.name == "sda"', "1:5: undefined field 'name'"],
  ['device.size > 1u', "1:1: undeclared reference to 'device'"],
  ['disk.serial', 'expression output type is string, expected bool'],
  ['disk.serial ==', "Syntax error: mismatched input '<EOF>'"],
  ['disk.serial = "a"', 'Syntax error: token recognition error'],
  ['disk.size > duration("1s")', "this lab does not evaluate 'duration'"],
  ['disk.symlinks[0] == "a"', 'this lab does not evaluate an index'],
])('%s is refused', (text, why) => {
  expect(() => diskSelector(text, 13)).toThrow(why)
})

test('links are known since Talos 1.10', () => {
  expect(() => diskSelector('disk.symlinks.exists(s, true)', 9)).toThrow("undefined field 'symlinks'")
})
