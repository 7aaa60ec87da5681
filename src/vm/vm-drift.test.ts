import { expect, test } from 'vitest'
import { aDesired, withCluster } from '../../tests/support/contexts.js'
import { aMark, described } from '../../tests/support/marks.js'
import { deriveMac } from '../cluster/identity.js'
import type { DesiredMachine } from '../desired/desired.js'
import { machineOf } from '../work/wanted-machine.js'
import { wrongOptions } from './vm-drift.js'

const desired = withCluster(await aDesired({ workers: 1 }), { tags: ['ichor', 'dev'] })
const wanted: DesiredMachine = {
  ...machineOf(desired, 'dev-wk-1'),
  options: {
    memory: 8192,
    cores: 4,
    onboot: true,
    net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0',
    smbios1: 'uuid=b80c72ea-4c55-8b7f-8ccd-f027daafa86a',
  },
}
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
  { title: "a user's own tag is no drift", change: { tags: 'dev;ichor;mine' }, keys: [] },
  { title: 'a disk that CSI hot-plugged is no drift', change: { scsi3: 'local-lvm:vm-9999-pvc-1,size=1G' }, keys: [] },
  {
    title: 'a NIC with more settings is no drift',
    change: { net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0,firewall=1' },
    keys: [],
  },
  {
    title: 'a NIC on another bridge is drift',
    change: { net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr9' },
    keys: ['net0'],
  },
  {
    title: 'a NIC with a VLAN tag that the inventory does not have is drift',
    change: { net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0,tag=20' },
    keys: ['net0'],
  },
  {
    title: 'a NIC that an earlier inventory had is drift',
    change: { net1: `virtio=${deriveMac('dev', 'dev-wk-1', 1)},bridge=vmbr1` },
    keys: ['net1'],
  },
  { title: "a user's own NIC is no drift", change: { net1: 'virtio=BC:24:11:00:00:01,bridge=vmbr1' }, keys: [] },
  { title: 'a guest agent that the inventory does not want is drift', change: { agent: '1' }, keys: ['agent'] },
])('$title', ({ change, keys }) => {
  expect(wrongOptions(wanted, desired, { ...asWanted, ...change }).map(({ key }) => key)).toEqual(keys)
})

test('a NIC is corrected on the running VM and keeps settings added by hand', () => {
  const net0 = 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0,firewall=1,tag=20'
  const [wrong] = wrongOptions(wanted, desired, { ...asWanted, net0 })
  expect(wrong).toMatchObject({ wanted: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0,firewall=1', needsRestart: false })
  expect(wrongOptions(wanted, desired, { ...asWanted, net0, hotplug: 'disk' })[0]?.needsRestart).toBe(true)
})

test('tags that are missing are added beside those of the user', () => {
  expect(wrongOptions(wanted, desired, { ...asWanted, tags: 'zebra' })[0]?.wanted).toBe('dev;ichor;zebra')
})

const guarded: DesiredMachine = { ...wanted, machine: { ...wanted.machine, isProtected: true } }

test.each([
  { title: 'a protected machine gets the protection of Proxmox', machine: guarded, set: '', protection: '0', is: '1' },
  { title: 'one that has it needs nothing', machine: guarded, set: 'protection', protection: '1', is: 'kept' },
  {
    title: 'it goes with the line of the inventory',
    machine: wanted,
    set: 'protection',
    protection: '1',
    is: undefined,
  },
  { title: 'the protection of somebody else stays', machine: wanted, set: '', protection: '1', is: 'kept' },
])('$title', ({ machine, set, protection, is }) => {
  const actual = {
    ...asWanted,
    protection,
    description: described(aMark('dev-wk-1', 9000, set === '' ? {} : { more: { set } })),
  }
  const wrong = wrongOptions(machine, desired, actual).filter(({ key }) => key === 'protection')
  expect(wrong).toEqual(
    is === 'kept' ? [] : [{ key: 'protection', actual: protection, wanted: is, needsRestart: false }],
  )
})
