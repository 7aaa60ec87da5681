import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { ConfigValue } from './config-value.js'
import { toYaml, toYamlStream } from './yaml-text.js'

test.each([
  { value: 'off', text: '"off"', because: 'YAML 1.1 reads it as a boolean' },
  { value: 'No', text: '"No"', because: 'YAML 1.1 reads it as a boolean' },
  { value: '1.10', text: '"1.10"', because: 'it would become a number' },
  { value: '', text: '""', because: 'nothing is null' },
  { value: 'a: b', text: '"a: b"', because: 'it would become a map' },
  { value: 'https://10.0.0.1:6443', text: 'https://10.0.0.1:6443', because: 'it is safe as it is' },
  { value: { a: {}, b: [] }, text: 'a: {}\nb: []', because: 'empty collections are said' },
  { value: { a: [{ b: 1, c: [2] }] }, text: 'a:\n  - b: 1\n    c:\n      - 2', because: 'lists are indented' },
  { value: { a: 'x\ny\n' }, text: 'a: |\n  x\n  y', because: 'text keeps its lines' },
  { value: ['x\n\ny'], text: '- |-\n  x\n\n  y', because: 'text in a list keeps its lines too' },
])('$text: $because', ({ value, text }) => {
  expect(toYaml(value)).toBe(text)
})

test('any value is read back as it was, in both versions of YAML', () => {
  const { value } = fc.letrec<{ value: ConfigValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }).filter((text) => !/[\ud800-\udfff\ufffe\uffff]/.test(text)),
      fc.stringMatching(/^[ \t\n:#a-z0-9'"|>-]{0,12}$/),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(fc.stringMatching(/^[a-zA-Z0-9 :./_-]{1,8}$/), tie('value')),
    ),
  }))
  fc.assert(
    fc.property(value, (one) => {
      const text = toYaml(one)
      expect(parse(text)).toEqual(one)
      expect(parse(text, { version: '1.1' })).toEqual(one)
    }),
    { numRuns: 300 },
  )
})

test('documents are distinguished even when they end in text', () => {
  const documents = [{ a: 'x\ny\n' }, { b: 1 }]
  const stream = parseAllDocuments(toYamlStream(documents))
  expect(Array.isArray(stream) ? stream.map((document) => document.toJS()) : []).toEqual(documents)
})
