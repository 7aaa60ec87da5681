import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { goYaml } from './go-yaml.js'

/** Go does not round-trip multi-line texts that begin with white space, and we write what it writes. */
const survives = (text: string) => !(text.includes('\n') && /^[\n ]/.test(text))

const texts = fc
  .oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'ab0:#-,[]{}&*!|>\'"%@` \n\t=.~?_e+xéž') }),
    fc.constantFrom('yes', 'null', '~', '1e3', '0x1F', '12:30', '2001-01-01', '---', '<<', ''),
  )
  .filter(survives)

const read = (text: string): unknown => parse(text, { version: '1.2' })

/** Go reads a number that is too large as a string, and this reader as infinity. */
const finite = texts.filter((text) => Number.isFinite(Number(text)) || Number.isNaN(Number(text)))

test('whatever the text, a YAML reader gets it back', () => {
  fc.assert(
    fc.property(finite, finite, (one, other) => {
      const value = { key: one, list: [other, one], maps: [{ a: one, b: other }], nested: { inner: [other] } }
      expect(read(goYaml(value))).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test.each([
  [{}, '{}\n'],
  [{ a: [], b: {}, c: null, d: 1, e: true }, 'a: []\nb: {}\nc: null\nd: 1\ne: true\n'],
  [{ a: [{ b: 1, c: [2] }, [3, [4]]] }, 'a:\n    - b: 1\n      c:\n        - 2\n    - - 3\n      - - 4\n'],
])('%j is written as Go writes it', (value, text) => {
  expect(goYaml(value)).toBe(text)
})
