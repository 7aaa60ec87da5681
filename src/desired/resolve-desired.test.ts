import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, specFor } from '../../tests/support/worlds.js'
import type { UnverifiedVm } from '../observe/observed.js'

const inventory = await anInventory({ controlPlanes: 1, workers: 0 })
const [machine] = inventory.machines
const answering = {
  ...aWorld(['pve1']),
  taken: [{ address: machine?.address ?? '', owner: 'something that answers on port 6443' }],
}
const unverified = (because: UnverifiedVm['because']): UnverifiedVm => ({
  host: 'pve1',
  vmid: 2000,
  because,
  text: 'VM 2000',
})

test('an address that a foreign VM answers on is refused', () => {
  const desireOn = specFor(inventory)
  const refused = `${machine?.address}, the address of ${machine?.name}, belongs to something`
  expect(() => desireOn(answering)).toThrow(refused)
  expect(() => desireOn({ ...answering, unverified: [unverified('foreign')] })).toThrow(refused)
})

test.each(['no-secrets', 'mark-lost'] as const)(
  'where VMs of ours are %s, it is they who answer: that is said, and not the address',
  (because) => {
    expect(() => specFor(inventory)({ ...answering, unverified: [unverified(because)] })).not.toThrow()
  },
)
