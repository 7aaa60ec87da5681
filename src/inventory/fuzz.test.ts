import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { examine } from './examine.js'
import { inventoryJsonSchema } from './json-schema.js'

const groups = Object.keys((inventoryJsonSchema() as { properties: object }).properties)
const words = [
  '10.0.10.0/24',
  '10.0.10.7',
  'pve1',
  '8G',
  'v1.13.9',
  'name',
  'count',
  'ip',
  'cidr',
  'host',
  'sizing',
  'pinned',
  '',
]
const leaf = fc.oneof(
  fc.constantFrom(...words),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)
const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...words, ...groups), fc.string()), tie('node'), { maxKeys: 4 }),
  ),
}))
const document = fc.dictionary(fc.constantFrom(...groups), node, { maxKeys: 6 })

async function complaintsAbout(text: string) {
  const { problems } = await examine({ folder: '/nowhere', cluster: { file: 'cluster.yaml', text } })
  return problems
}

test('whatever stands under the known keys, the answer is complaints in whole sentences and never an exception', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (data) => {
      const text = stringify(data)
      const leaks = ['undefined', 'NaN', '[object', 'Invalid input'].filter((leak) => !text.includes(leak))
      for (const { message, fix, line, column } of await complaintsAbout(text)) {
        expect(message).toMatch(/[.?]$/)
        expect(fix).toMatch(/[.?]$|…\.$/)
        for (const leak of leaks) expect(`${message} ${fix}`).not.toContain(leak)
        expect(Math.min(line, column)).toBeGreaterThan(0)
      }
    }),
    { numRuns: 200 },
  )
})

test('whatever the text is, reading it never throws', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom('a', ':', ' ', '\n', '-', '&', '*', '{', '[', '"', "'", '|', '\t', '#', '?', '!', '<<: '),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      expect((await complaintsAbout(written)).length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})
