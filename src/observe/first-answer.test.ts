import { expect, test } from 'vitest'
import { firstAnswer } from './first-answer.js'

const never = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const patience = () => AbortSignal.timeout(20_000)

async function asked(answers: Record<string, (signal: AbortSignal) => Promise<string>>) {
  const names: string[] = []
  const answer = await firstAnswer(
    Object.keys(answers),
    (name, signal) => {
      names.push(name)
      return answers[name]?.(signal) ?? Promise.reject(new Error(name))
    },
    patience(),
  )
  return { answer, names }
}

test('the first one that answers is enough', async () => {
  const found = await asked({ one: async () => 'one', other: async () => 'other' })
  expect(found).toEqual({ answer: 'one', names: ['one'] })
})

test('after a failure the next one is asked, and beside one that is silent', async () => {
  const failing = async () => {
    throw new Error('refused')
  }
  const found = await asked({ silent: never, failing, last: async () => 'last' })
  expect(found).toEqual({ answer: 'last', names: ['silent', 'failing', 'last'] })
})

test('if nobody answers, the first failure is the reason', async () => {
  const fail = async (name: string) => {
    throw new Error(name)
  }
  await expect(firstAnswer(['one', 'other'], fail, patience())).rejects.toThrow('one')
  await expect(firstAnswer(['one'], (_, signal) => never(signal), AbortSignal.timeout(20))).rejects.toThrow('timeout')
})
