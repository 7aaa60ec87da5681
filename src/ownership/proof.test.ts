import { expect, test } from 'vitest'
import { aMark, hardwareOf } from '../../tests/support/marks.js'
import { deriveIdentity } from '../cluster/identity.js'
import { heldPart } from './identity-of-vm.js'
import { type Mark, writeMark } from './mark.js'
import { proveOwnership } from './proof.js'

const identity = deriveIdentity('dev', 'dev-cp-1')
const vm = { host: 'pve1', vmid: 2000 }
const mark = aMark('dev-cp-1', vm.vmid)
const { smbios1, net0 } = hardwareOf('dev-cp-1')
const described = (changes: Partial<Mark> = {}) => writeMark('', { ...mark, ...changes })

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
  expect(proveOwnership({ options }, vm, 'c1').owned).toBe(owned)
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
  const proof = proveOwnership({ options }, at, 'c1')
  expect(proof).toMatchObject({ owned: false, because })
  expect(proof).toHaveProperty('text', expect.stringContaining(`VM ${at.vmid} on ${at.host}`))
})

test('somebody who holds the UUID or MAC is noticed, on any card', () => {
  expect(heldPart({ options: { smbios1 } }, identity)).toBe('uuid')
  expect(heldPart({ options: { net3: `e1000=${identity.mac.toLowerCase()},bridge=x` } }, identity)).toBe('mac')
  expect(heldPart({ options: { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' } }, identity)).toBeUndefined()
})
