import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { fake } from '../../tests/support/fake.js'
import { askText, askYes } from './ask.js'
import { confirmName } from './confirm-name.js'
import type { Context } from './frame/context.js'

/** A terminal on which these keys are pressed. */
function aTerminal(keys: string): Context {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  setImmediate(() => stdin.write(keys))
  return fake<Context>({ stdin, stderr, signal: AbortSignal.timeout(5000) })
}

test.each([
  { keys: 'y\n', yes: true },
  { keys: 'Yes\n', yes: true },
  { keys: '\n', yes: false },
  { keys: 'yo\n', yes: false },
  { keys: '\u0004', yes: false },
])('$keys means $yes', async ({ keys, yes }) => {
  expect(await askYes('Make these changes?', aTerminal(keys))).toBe(yes)
})

test('Ctrl-C at a question cancels, and is no bug', async () => {
  await expect(askText('Name: ', aTerminal('\u0003'), '')).rejects.toMatchObject({ code: 'cancelled', exitCode: 130 })
})

test.each([
  { typed: 'prod\n', isMeant: true },
  { typed: 'y\n', isMeant: false },
  { typed: 'production\n', isMeant: false },
  { typed: '\n', isMeant: false },
])('a cluster is destroyed by its name: $typed means $isMeant', async ({ typed, isMeant }) => {
  expect(await confirmName('prod', aTerminal(typed))).toBe(isMeant)
})
