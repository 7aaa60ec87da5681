import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { parse } from 'yaml'
import { examine } from '../../../src/inventory/examine.js'
import { inventoryJsonSchema } from '../../../src/inventory/json-schema.js'
import { defineTarget } from '../target.js'
import { anyJson, damaged, damagedText, damages, yamlOf } from '../values.js'

/** Every key that an inventory may have, wherever it stands. */
function knownKeys(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(knownKeys)]
}

export const inventory = defineTarget({
  name: 'inventory',
  share: 0.15,
  prepare: async () => {
    const keys = [...new Set(knownKeys(inventoryJsonSchema()))]
    const names = ['production', 'enterprise', 'hyperconverged']
    const texts = await Promise.all(names.map((name) => readFile(`examples/${name}/cluster.yaml`, 'utf8')))
    const wholes = texts.map((text) => parse(text) as unknown)
    return {
      inputs: fc.oneof(
        fc.tuple(fc.constantFrom(...wholes), damages(keys)).map(([whole, wounds]) => yamlOf(damaged(whole, wounds))),
        fc
          .dictionary(fc.constantFrom(...keys), anyJson(keys), { maxKeys: 6, noNullPrototype: true })
          .map((data) => yamlOf(data)),
        fc.constantFrom(...texts).chain(damagedText),
        fc.string({ unit: 'binary', maxLength: 100 }),
      ),
      read: (text) => examine({ folder: '/nowhere', cluster: { file: 'cluster.yaml', text } }),
    }
  },
})
