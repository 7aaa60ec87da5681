import { expect, test } from 'vitest'
import { JsonTooLarge, parseJson } from './parse-json.js'

const million = 1_000_000

test.each([
  ['lists within each other', '['.repeat(4 * million) + ']'.repeat(4 * million)],
  ['objects within each other', '{"a":'.repeat(million)],
  ['empty lists', `[${'[],'.repeat(3 * million)}[]]`],
  ['empty objects', `[${'{},'.repeat(3 * million)}{}]`],
  ['numbers', `[${'1,'.repeat(5 * million)}1]`],
  ['keys', `{${Array.from({ length: 5 * million }, () => '"":0').join(',')}}`],
])('an answer of millions of %s is refused before it is parsed', (_, text) => {
  expect(() => parseJson(text)).toThrow(JsonTooLarge)
})

test.each<[string, unknown]>([
  ['brackets in texts', { text: '[{'.repeat(million), 'and ]}, "keys"': '\\", [[[' }],
  ['a deep schema', Array.from({ length: 200 }).reduce<unknown>((inner) => ({ properties: { spec: inner } }), {})],
  ['a long text', 'x'.repeat(8 * million)],
  ['many guests', Array.from({ length: 20_000 }, (_, vmid) => ({ vmid, type: 'qemu', node: 'pve1', tags: 'a;b' }))],
])('%s are read as they are', (_, value) => {
  expect(parseJson(JSON.stringify(value))).toEqual(value)
})

test.each(['', '{', '[1,', '"open', '"\\', ']]]', 'text'])('%j is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})
