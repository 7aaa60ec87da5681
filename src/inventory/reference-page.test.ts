import { expect, test } from 'vitest'
import { referencePage } from '../../tests/support/reference-pages/inventory.js'
import { inventoryJsonSchema } from './json-schema.js'

test('the reference page in docs/ is the one that the definition gives (vitest -u writes it again)', async () => {
  await expect(referencePage()).toMatchFileSnapshot('../../docs/inventory.md')
})

test('every key of the JSON Schema has a description', () => {
  expect(undescribed(inventoryJsonSchema(), '')).toEqual([])
})

test('the JSON Schema lets editors complete and refuses unknown keys', () => {
  expect(inventoryJsonSchema()).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    required: ['cluster_name'],
    additionalProperties: false,
    properties: { talos: { properties: { boot: { enum: ['image', 'iso', 'template'], default: 'image' } } } },
  })
})

interface Shape {
  description?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  additionalProperties?: Shape
}

function undescribed({ properties = {}, items, anyOf = [], additionalProperties }: Shape, path: string): string[] {
  const own = Object.entries(properties).flatMap(([key, shape]) => {
    const place = path === '' ? key : `${path}.${key}`
    return [...(shape.description ? [] : [place]), ...undescribed(shape, place)]
  })
  const inner = [...anyOf, ...(items ? [items] : []), ...(additionalProperties ? [additionalProperties] : [])]
  return [...own, ...inner.flatMap((shape) => undescribed(shape, `${path}[]`))]
}

test('the JSON Schema at its stable path is the one that validates (vitest -u writes it again)', async () => {
  const text = `${JSON.stringify(inventoryJsonSchema(), null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../schema/inventory.schema.json')
})
