import { expect, test } from 'vitest'
import { labOption } from './lab-name.js'

test.each([
  [undefined, '--lab'],
  ['1', '--lab'],
  ['two', '--lab=two'],
])('with ICHOR_LAB=%s the option of hints is %s', (name, option) => {
  expect(labOption(name === undefined ? {} : { ICHOR_LAB: name })).toBe(option)
})
