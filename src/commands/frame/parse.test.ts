import { expect, test } from 'vitest'
import { defineCommand } from './define-command.js'
import { parseCommandLine } from './parse.js'

const command = defineCommand({
  args: {
    hosts: { type: 'number', placeholder: 'N', help: '', integer: true, min: 1, max: 250 },
    chance: { type: 'number', placeholder: 'P', help: '', max: 1 },
    plan: { type: 'text', placeholder: 'FILE', help: '' },
  },
  run: async () => 0,
})

test.each([
  { words: ['--hosts', '0'], says: '--hosts must be a whole number from 1 up to 250, got "0".' },
  { words: ['--hosts', '1.5'], says: '--hosts must be a whole number from 1 up to 250, got "1.5".' },
  { words: ['--hosts', '251'], says: '--hosts must be a whole number from 1 up to 250, got "251".' },
  { words: ['--chance', '2'], says: '--chance must be a number up to 1, got "2".' },
  { words: ['--chance', '-1'], says: '--chance needs a value, and what follows looks like another option.' },
  { words: ['--plan'], says: '--plan needs a value.' },
])('$words is refused: $says', ({ words, says }) => {
  const parse = () => parseCommandLine(words, command, 'ichor lab start')
  expect(parse).toThrow(expect.objectContaining({ message: says, exitCode: 2 }))
})

test('numbers within their bounds are taken', () => {
  const { args } = parseCommandLine(['--hosts', '250', '--chance', '0.5'], command, 'ichor lab start')
  expect(args).toMatchObject({ hosts: 250, chance: 0.5 })
})
