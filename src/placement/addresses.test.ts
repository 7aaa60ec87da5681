import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { refuseTakenAddresses } from './addresses.js'

const owner = 'VM 104 (db) on pve2'

test('a taken address is refused with its owner', async () => {
  const wanted = await anInventory({ workers: 1 })
  const seen = [{ address: '10.0.7.208', owner }]
  expect(() => refuseTakenAddresses(wanted, wanted.machines, seen)).toThrow(
    '10.0.7.208, the address of dev-wk-1, belongs to VM 104 (db) on pve2.',
  )
})

test('a machine that exists may have its own address', async () => {
  const wanted = await anInventory({ workers: 1 })
  expect(() =>
    refuseTakenAddresses(wanted, wanted.machines.slice(0, 1), [{ address: '10.0.7.208', owner }]),
  ).not.toThrow()
})

test('the VIP must be free', async () => {
  const network = { cidr: '10.0.0.0/16', vip: '10.0.0.5' }
  const wanted = await anInventory({ with: { network } })
  const seen = [{ address: '10.0.0.5', owner: 'a host that responds on port 6443' }]
  expect(() => refuseTakenAddresses(wanted, wanted.machines, seen)).toThrow(
    '10.0.0.5, the address of the VIP, belongs to',
  )
  expect(() => refuseTakenAddresses(wanted, [], seen)).toThrow('the address of the VIP')
})
