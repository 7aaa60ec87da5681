import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, wishFor } from '../../tests/support/worlds.js'
import type { Suspect } from '../observe/observed.js'

const inventory = await anInventory({ controlPlanes: 1, workers: 0 })
const [machine] = inventory.machines
const answering = {
  ...aWorld(['pve1']),
  taken: [{ address: machine?.address ?? '', owner: 'something that answers on port 6443' }],
}
const suspect = (because: Suspect['because']): Suspect => ({ host: 'pve1', vmid: 2000, because, text: 'VM 2000' })

test('an address that a stranger answers on is refused', () => {
  const desireOn = wishFor(inventory)
  const refused = `${machine?.address}, the address of ${machine?.name}, belongs to something`
  expect(() => desireOn(answering)).toThrow(refused)
  expect(() => desireOn({ ...answering, suspects: [suspect('stranger')] })).toThrow(refused)
})

test.each(['no-secrets', 'mark-lost'] as const)(
  'where VMs of ours are %s, it is they who answer: that is said, and not the address',
  (because) => {
    expect(() => wishFor(inventory)({ ...answering, suspects: [suspect(because)] })).not.toThrow()
  },
)
