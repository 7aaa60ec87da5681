import { expect, test } from 'vitest'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { wrongOptions } from './vm-drift.js'

const desired = { cluster: { tags: ['ichor', 'dev'] } } as unknown as Desired
const wanted = {
  options: {
    memory: 8192,
    cores: 4,
    onboot: true,
    net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0',
    smbios1: 'uuid=b80c72ea-4c55-8b7f-8ccd-f027daafa86a',
  },
} as unknown as DesiredMachine
const asWanted = {
  memory: '8192',
  cores: '4',
  onboot: '1',
  net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0',
  smbios1: 'uuid=b80c72ea-4c55-8b7f-8ccd-f027daafa86a',
  tags: 'dev;ichor',
}

test.each([
  { title: 'a VM as wanted has no drift', change: {}, keys: [] },
  { title: 'changed memory is drift', change: { memory: '4096' }, keys: ['memory'] },
  { title: 'a removed tag is drift', change: { tags: 'dev' }, keys: ['tags'] },
  { title: "a user's own tag is none", change: { tags: 'dev;ichor;mine' }, keys: [] },
  { title: 'a disk that CSI hot-plugged is none', change: { scsi3: 'local-lvm:vm-9999-pvc-1,size=1G' }, keys: [] },
  {
    title: 'a NIC with more settings is none',
    change: { net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0,firewall=1' },
    keys: [],
  },
  {
    title: 'a NIC on another bridge is drift',
    change: { net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr9' },
    keys: ['net0'],
  },
])('$title', ({ change, keys }) => {
  expect(wrongOptions(wanted, desired, { ...asWanted, ...change }).map(({ key }) => key)).toEqual(keys)
})

test('tags that are missing are added beside those of the user', () => {
  expect(wrongOptions(wanted, desired, { ...asWanted, tags: 'zebra' })[0]?.wanted).toBe('dev;ichor;zebra')
})
