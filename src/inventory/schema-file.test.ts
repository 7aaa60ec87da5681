import { expect, test } from 'vitest'
import { inventoryJsonSchema } from './index.js'

test('the JSON Schema at its stable path is the one that validates (vitest -u writes it again)', async () => {
  const text = `${JSON.stringify(inventoryJsonSchema(), null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../schema/inventory.schema.json')
})
