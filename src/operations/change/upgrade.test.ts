import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { rollbackTarget, upgrade } from './upgrade.js'

test('versions are written as the inventory has them; what lies behind on the path goes', async () => {
  const inventory = await anInventory({
    with: { talos_version: 'v1.13.9', talos: { upgrade_path: ['v1.11.6', 'v1.12.11'] } },
  })
  expect(upgrade(inventory, { talos: '1.14.1' })).toEqual([{ path: 'talos_version', value: 'v1.14.1' }])
  expect(upgrade(inventory, { kubernetes: 'v1.36.4' })).toEqual([{ path: 'kubernetes_version', value: 'v1.36.4' }])
  expect(upgrade(inventory, { talos: 'v1.12.11' })).toContainEqual({ path: 'talos.upgrade_path', value: ['v1.11.6'] })
  expect(() => upgrade(inventory, { talos: 'latest' })).toThrow('--talos must be a version, got "latest".')
})

test('a rollback goes to what the others still run, or to what the user names', () => {
  expect(rollbackTarget(['v1.13.9', 'v1.12.11', 'v1.13.9'], undefined)).toBe('v1.12.11')
  expect(rollbackTarget(['v1.13.9'], '1.12.11')).toBe('v1.12.11')
  expect(() => rollbackTarget(['v1.13.9', 'v1.13.9'], undefined)).toThrow('which version they ran before is not known')
})
