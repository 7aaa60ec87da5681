import { expect, test } from 'vitest'
import { parseKeyShape } from './key-shape.js'
import { decoded, typeProblems } from './value-types.js'

const shape = parseKeyShape(
  'name:text on:flag size:uint16 list:[text] named:<{a:int}> after:duration at:url key:base64',
)

test.each([
  { value: { name: 5, on: 'yes', size: 65535, list: ['a'], named: { x: { a: -1 } }, after: '1m30s' }, fits: true },
  { value: { at: 'https://10.0.0.1:6443', key: 'YQ==', name: null, list: null, on: null }, fits: true },
  { value: { name: ['a'] }, fits: false },
  { value: { on: 'perhaps' }, fits: false },
  { value: { size: 65536 }, fits: false },
  { value: { size: -1 }, fits: false },
  { value: { list: 'a' }, fits: false },
  { value: { named: { x: { a: 'b' } } }, fits: false },
  { value: { after: 90 }, fits: false },
  { value: { at: '1:2' }, fits: false },
  { value: { key: '?' }, fits: false },
])('$value fits: $fits', ({ value, fits }) => {
  expect(typeProblems(value, shape).length === 0).toBe(fits)
})

test('a scalar where a text belongs becomes one', () => {
  expect(decoded({ name: 5, list: [true], size: 3 }, shape)).toEqual({ name: '5', list: ['true'], size: 3 })
})
