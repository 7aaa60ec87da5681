import { expect, test } from 'vitest'
import { placesOf } from './places.js'
import { anAccessInventory } from './testing.js'
import { accessWarnings } from './warnings.js'

const storage = (name: string, ...content: string[]) => ({
  host: 'pve1',
  storage: name,
  type: 'dir',
  shared: true,
  available: true,
  content,
  total: 1,
  used: 0,
})

test.each([
  { what: 'backups of others', beside: ['backup'], warned: /^Storage files also holds backup content/ },
  {
    what: 'disks of others',
    beside: ['backup', 'images'],
    warned: /^Storage files also holds backup and images content/,
  },
  { what: 'nothing else', beside: [], warned: undefined },
])('a storage for images and media that holds $what is warned about accordingly', ({ beside, warned }) => {
  const storages = [storage('zfs', 'images'), storage('files', 'iso', 'import', ...beside)]
  const facts = { version: { major: 9 }, storages, hosts: ['pve1'] }
  const inventory = anAccessInventory()
  const warnings = accessWarnings(inventory, placesOf(inventory, facts), facts, [], [])
  expect(warnings).toEqual(warned === undefined ? [] : [expect.stringMatching(warned)])
})
