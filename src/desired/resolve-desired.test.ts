import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, specFor } from '../../tests/support/worlds.js'
import type { UnverifiedVm } from '../observe/observed.js'

const inventory = await anInventory({ controlPlanes: 1, workers: 0 })
const [machine] = inventory.machines
const answering = {
  ...aWorld(['pve1']),
  taken: [{ address: machine?.address ?? '', owner: 'a host that responds on port 6443' }],
}
const unverified = (because: UnverifiedVm['because']): UnverifiedVm => ({
  host: 'pve1',
  vmid: 2000,
  because,
  text: 'VM 2000',
})

test('an address that a foreign VM answers on is refused', () => {
  const desireOn = specFor(inventory)
  const refused = `${machine?.address}, the address of ${machine?.name}, belongs to a host that responds`
  expect(() => desireOn(answering)).toThrow(refused)
  expect(() => desireOn({ ...answering, unverified: [unverified('foreign')] })).toThrow(refused)
})

test.each(['no-secrets', 'mark-lost'] as const)(
  'where VMs of ours are %s, it is they who answer: that is said, and not the address',
  (because) => {
    expect(() => specFor(inventory)({ ...answering, unverified: [unverified(because)] })).not.toThrow()
  },
)

test('arm64 has no IDE: its CD drives are on the SCSI controller', async () => {
  const talos = { boot: 'iso', arch: 'arm64', extensions: [] }
  const vm = { cpu_type: 'host', machine: 'virt', bios: 'ovmf' }
  const arm = specFor(await anInventory({ controlPlanes: 1, workers: 1, with: { talos, vm } }))(aWorld(['pve1']))
  for (const { drives, seed } of arm.machines) {
    expect(drives.install).toMatch(/^scsi\d+$/)
    expect([drives.seed ?? 'scsi0', seed.slot].every((slot) => slot.startsWith('scsi'))).toBe(true)
  }
})

test('dual stack has a default route of each family', async () => {
  const network = { cidr: '10.0.0.0/16', gateway: '10.0.0.1', ipv6: { cidr: 'fd00:1::/64', gateway: 'fd00:1::1' } }
  const { machines } = specFor(await anInventory({ with: { network } }))(aWorld(['pve1']))
  const config = machines[0]?.talos?.config
  expect(config?.match(/gateway: \S+/g)).toEqual(['gateway: "10.0.0.1"', 'gateway: fd00:1::1'])
})
