import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { aStep } from '../../tests/support/steps.js'
import { aWorld } from '../../tests/support/worlds.js'
import { plainDigest } from '../plan/digest.js'
import type { Plan } from '../plan/plan.js'
import { consentToLoss } from './consent-to-loss.js'
import type { Context } from './frame/context.js'

function aPlan(...loses: string[]): Plan {
  const step = aStep('remove-addon', {
    args: { addon: 'longhorn' },
    title: 'remove the addon longhorn',
    reason: 'removed from the inventory',
    disruptive: true,
    loses,
  })
  return {
    cluster: 'dev',
    rounds: 1,
    away: [],
    unknown: [],
    notes: [],
    expected: aWorld([]),
    steps: [step],
    digester: plainDigest,
  }
}

function aTerminal(answer: string): Context {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.end(`${answer}\n`)
  const silent = new PassThrough()
  const signal = AbortSignal.timeout(5000)
  return { stdin, stdout: silent, stderr: silent, signal, env: {}, cwd: '/', program: 'ichor' }
}

const loss = 'everything that the addon longhorn holds'

test('a plan that loses nothing needs no consent', async () => {
  expect(await consentToLoss(aPlan(), { isAsked: false, deleteData: false }, aTerminal(''))).toBe(true)
})

test('with --yes alone it is refused, and the refusal names what would be lost', async () => {
  await expect(consentToLoss(aPlan(loss), { isAsked: false, deleteData: false }, aTerminal(''))).rejects.toMatchObject({
    exitCode: 3,
    message: `This would lose ${loss}.`,
    fix: expect.stringContaining('--delete-data'),
  })
})

test('with --delete-data it may be lost', async () => {
  expect(await consentToLoss(aPlan(loss), { isAsked: false, deleteData: true }, aTerminal(''))).toBe(true)
})

test.each([
  { answer: 'y', may: true },
  { answer: 'n', may: false },
  { answer: '', may: false },
])('on a terminal it is asked for: "$answer"', async ({ answer, may }) => {
  expect(await consentToLoss(aPlan(loss), { isAsked: true, deleteData: false }, aTerminal(answer))).toBe(may)
})
