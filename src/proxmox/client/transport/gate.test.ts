import { expect, test } from 'vitest'
import { createGate } from './gate.js'

const turn = () => new Promise(setImmediate)

/** Work that starts when the gate admits it and ends when requested. */
function someWork(gate: ReturnType<typeof createGate>) {
  const inside: string[] = []
  const ends = new Map<string, () => void>()
  const pass = (name: string, signal = new AbortController().signal) =>
    gate.pass(async () => {
      inside.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      inside.splice(inside.indexOf(name), 1)
    }, signal)
  return { inside, pass, end: (name: string) => ends.get(name)?.() }
}

test('a limited number is admitted at once, and the longest waiter takes the first free slot', async () => {
  const { inside, pass, end } = someWork(createGate(2))
  const all = ['a', 'b', 'c', 'd'].map((name) => pass(name))
  await turn()
  expect(inside).toEqual(['a', 'b'])
  end('b')
  await turn()
  expect(inside).toEqual(['a', 'c'])
  for (const name of ['a', 'c', 'd']) {
    end(name)
    await turn()
  }
  await Promise.all(all)
})

test('an aborted waiter takes no slot', async () => {
  const { inside, pass, end } = someWork(createGate(1))
  const stop = new AbortController()
  const first = pass('a')
  const givenUp = pass('b', stop.signal)
  const last = pass('c')
  stop.abort(new Error('enough'))
  await expect(givenUp).rejects.toThrow('enough')
  end('a')
  await turn()
  expect(inside).toEqual(['c'])
  end('c')
  await Promise.all([first, last])
})
