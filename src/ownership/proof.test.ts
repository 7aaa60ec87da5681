import { expect, test } from 'vitest'
import { aMark, aSealer, hardwareOf, described as write } from '../../tests/support/marks.js'
import { deriveIdentity } from '../cluster/identity.js'
import { withBirth } from './born.js'
import { heldMachine } from './identity-of-vm.js'
import { type Mark, writeMark } from './mark.js'
import { type Authority, proveOwnership } from './proof.js'
import { createSealer } from './seal.js'

const identity = deriveIdentity('dev', 'dev-cp-1')
const vm = { host: 'pve1', vmid: 2000 }
const mark = aMark('dev-cp-1', vm.vmid)
const { smbios1, net0 } = hardwareOf('dev-cp-1')
const described = (changes: Partial<Mark> = {}) => write({ ...mark, ...changes })
const authority: Authority = {
  cluster: 'c1',
  sealer: aSealer,
  requiresSeal: true,
  intent: new Set(),
  unfinished: new Set(),
}

test.each([
  { because: 'everything fits', options: { description: described(), smbios1, net0 }, owned: true },
  {
    because: 'Proxmox writes a UUID in the case that it was given',
    options: { description: described(), smbios1: `uuid=${identity.uuid.toUpperCase()},family=VA==,base64=1`, net0 },
    owned: true,
  },
  {
    because: 'a machine in the making may lack its card',
    options: { description: described({ stage: 'making' }), smbios1 },
    owned: true,
  },
])('ours: $because', ({ options, owned }) => {
  expect(proveOwnership({ options }, vm, authority).owned).toBe(owned)
})

test.each([
  {
    what: 'a reused VMID without mark',
    because: 'no-mark',
    options: { description: 'my games', smbios1, net0 },
    at: vm,
  },
  {
    what: 'a machine of another cluster',
    because: 'other-cluster',
    options: { description: described({ cluster: 'c2' }), smbios1, net0 },
    at: vm,
  },
  {
    what: 'a clone by hand or a restored backup',
    because: 'copy',
    options: { description: described(), smbios1, net0 },
    at: { host: 'pve2', vmid: 105 },
  },
  {
    what: 'a pasted description',
    because: 'identity-differs',
    options: { description: described(), smbios1: 'uuid=00000000-0000-4000-8000-000000000000', net0 },
    at: vm,
  },
  {
    what: 'another card',
    because: 'identity-differs',
    options: { description: described(), smbios1, net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' },
    at: vm,
  },
  {
    what: 'a made machine that lost its UUID',
    because: 'identity-differs',
    options: { description: described(), net0 },
    at: vm,
  },
  {
    what: 'a made machine that only says that it waits for its identity',
    because: 'identity-differs',
    options: { description: described({ more: { identity: 'pending' } }), net0 },
    at: vm,
  },
  { what: 'a stub of a killed worker', because: 'no-mark', options: { lock: 'create' }, at: vm },
])('not ours: $what ($because)', ({ options, because, at }) => {
  const proof = proveOwnership({ options }, at, authority)
  expect(proof).toMatchObject({ owned: false, because })
  expect(proof).toHaveProperty('text', expect.stringContaining(`VM ${at.vmid} on ${at.host}`))
})

test('a VM with the UUID or MAC is noticed, on any NIC', () => {
  expect(heldMachine({ options: { smbios1 } }, [{ identity }])).toEqual({ identity })
  const lower = `e1000=${identity.mac.toLowerCase()},bridge=x`
  expect(heldMachine({ options: { net3: lower } }, [{ identity }])).toEqual({ identity })
  expect(heldMachine({ options: { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' } }, [{ identity }])).toBeUndefined()
})

const unsealed = described().replace(/\nseal: .*/, '')
const at = (change: Partial<Authority>): Authority => ({ ...authority, ...change })

test.each([
  {
    what: 'a mark that somebody without the secrets has written',
    description: writeMark('', mark, createSealer({ id: 'c1', secret: 'another secret' })),
  },
  {
    what: 'a sealed mark of which a field was changed',
    description: described().replace('stage: made', 'stage: making'),
  },
  {
    what: 'a sealed mark that got another field',
    description: described().replace('stage: made', 'stage: made\nx: y'),
  },
  { what: 'a seal that is no seal', description: described().replace(/seal: .*/, 'seal: v1:') },
  { what: 'a seal of a kind that nobody knows', description: described().replace('seal: v1:', 'seal: v2:') },
  {
    what: 'the mark of another machine with the VMID of this one',
    description: write(aMark('dev-cp-1', 2001)).replace('vmid: 2001', 'vmid: 2000'),
  },
])('not ours, though UUID and MAC fit: $what (broken-seal)', ({ description }) => {
  const options = { description, smbios1, net0 }
  expect(proveOwnership({ options }, vm, authority)).toMatchObject({ owned: false, because: 'broken-seal' })
  expect(proveOwnership({ options }, vm, at({ requiresSeal: false }))).toMatchObject({ because: 'broken-seal' })
})

test('a sealed mark that is replayed on another VMID is a copy', () => {
  const options = { description: described(), smbios1, net0 }
  expect(proveOwnership({ options }, { ...vm, vmid: 2001 }, authority)).toMatchObject({ owned: false, because: 'copy' })
})

test('a sealed mark that is replayed under the VMID that the machine had is a copy: the VM was made later', () => {
  const made = (ctime: number) => ({ smbios1, net0, meta: `creation-qemu=10.1.2,ctime=${ctime}` })
  const description = write(withBirth(mark, { options: made(1_763_172_000) }))
  const proofOf = (ctime: number) => proveOwnership({ options: { ...made(ctime), description } }, vm, authority)
  expect(proofOf(1_763_172_000)).toMatchObject({ owned: true })
  expect(proofOf(1_763_172_001)).toMatchObject({ owned: false, because: 'copy' })
  expect(proveOwnership({ options: { smbios1, net0, description } }, vm, authority)).toMatchObject({ because: 'copy' })
})

test('the seal stays good when Proxmox or an editor moves what does not matter', () => {
  const [opening, ...fields] = described().split('\n')
  const closing = fields.pop()
  const moved = [opening, ...fields.toReversed().map((field) => `${field}  `), closing].join('\r\n')
  const options = { description: `notes\r\n${moved}`, smbios1, net0 }
  expect(proveOwnership({ options }, vm, authority)).toMatchObject({ owned: true, isSealed: true })
})

test.each([
  { when: 'every mark was sealed once', who: authority, owned: false },
  { when: 'some marks are older than seals', who: at({ requiresSeal: false }), owned: true },
  {
    when: 'the secrets are lost',
    who: { cluster: 'c1', requiresSeal: true, intent: new Set<number>(), unfinished: new Set<number>() },
    owned: true,
  },
])('a mark without a seal, where $when, is ours: $owned', ({ who, owned }) => {
  const proof = proveOwnership({ options: { description: unsealed, smbios1, net0 } }, vm, who)
  expect(proof).toMatchObject(owned ? { owned, isSealed: false } : { owned, because: 'broken-seal' })
})

test.each([
  { vmids: [vm.vmid], owned: true },
  { vmids: [2001], owned: false },
  { vmids: [], owned: false },
])(
  'a clone that waits for its identity is ours where a run was about to claim its VMID: $vmids',
  ({ vmids, owned }) => {
    const pending = described({ stage: 'making', more: { identity: 'pending' } })
    const options = { description: pending, smbios1: 'uuid=00000000-0000-4000-8000-000000000000' }
    expect(proveOwnership({ options }, vm, at({ intent: new Set(vmids) })).owned).toBe(owned)
  },
)
