import { expect, test } from 'vitest'
import { chooseLab } from './choose-lab.js'
import { defineCommand } from './define-command.js'

const inLabs = defineCommand({ args: { lab: { type: 'flag', help: 'the lab' } }, run: async () => 0 })
const elsewhere = defineCommand({ args: {}, run: async () => 0 })

test.each([
  { words: ['--lab'], env: {}, means: { words: ['--lab'], env: {} } },
  { words: ['--lab=blue', 'x'], env: {}, means: { words: ['--lab', 'x'], env: { ICHOR_LAB: 'blue' } } },
  { words: ['x'], env: { ICHOR_LAB: '1' }, means: { words: ['--lab', 'x'], env: { ICHOR_LAB: '1' } } },
  { words: ['--lab'], env: { ICHOR_LAB: 'red' }, means: { words: ['--lab'], env: { ICHOR_LAB: 'red' } } },
  { words: ['--lab=blue'], env: { ICHOR_LAB: 'red' }, means: { words: ['--lab'], env: { ICHOR_LAB: 'blue' } } },
  { words: ['x'], env: { ICHOR_LAB: '0' }, means: { words: ['x'], env: { ICHOR_LAB: '0' } } },
])('$words with $env', ({ words, env, means }) => {
  expect(chooseLab(words, inLabs, env)).toEqual(means)
})

test('a command that knows no lab is left alone', () => {
  expect(chooseLab(['x'], elsewhere, { ICHOR_LAB: '1' })).toEqual({ words: ['x'], env: { ICHOR_LAB: '1' } })
})
