import { expect, test } from 'vitest'
import { loadInventory } from '../src/inventory/index.js'

test('the enterprise example can turn NetworkPolicies on later: its CNI enforces them', async () => {
  const { settings } = await loadInventory('examples/enterprise', { env: {} })
  expect(settings.addons.cilium).toBeDefined()
})

test('the appliance of the hyperconverged example has something to boot from', async () => {
  const { settings } = await loadInventory('examples/hyperconverged', { env: {} })
  const [appliance] = settings.guests
  expect(appliance).toMatchObject({ create: true, iso: expect.stringMatching(/:iso\//) })
})
