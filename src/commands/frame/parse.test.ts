import { expect, test } from 'vitest'
import { defineCommand } from './define-command.js'
import { parseCommandLine } from './parse.js'

const command = defineCommand({
  args: {
    hosts: { type: 'number', placeholder: 'N', help: '', isWhole: true, least: 1, most: 250 },
    chance: { type: 'number', placeholder: 'P', help: '', most: 1 },
    plan: { type: 'text', placeholder: 'FILE', help: '' },
  },
  run: async () => 0,
})

test.each([
  { words: ['--hosts', '0'], says: '--hosts wants a whole number from 1 up to 250, and "0" is none.' },
  { words: ['--hosts', '1.5'], says: '--hosts wants a whole number from 1 up to 250, and "1.5" is none.' },
  { words: ['--hosts', '251'], says: '--hosts wants a whole number from 1 up to 250, and "251" is none.' },
  { words: ['--chance', '2'], says: '--chance wants a number up to 1, and "2" is none.' },
  { words: ['--chance', '-1'], says: "Option '--chance' argument is ambiguous." },
  { words: ['--plan'], says: "Option '--plan <value>' argument missing." },
])('$words is refused: $says', ({ words, says }) => {
  const parse = () => parseCommandLine(words, command, 'ichor lab start')
  expect(parse).toThrow(expect.objectContaining({ message: says, exitCode: 2 }))
})

test('numbers within their bounds are taken', () => {
  const { args } = parseCommandLine(['--hosts', '250', '--chance', '0.5'], command, 'ichor lab start')
  expect(args).toMatchObject({ hosts: 250, chance: 0.5 })
})
