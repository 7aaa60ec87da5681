import { expect, test } from 'vitest'
import { lookAgain } from './look-again.js'

test('a failure is shown, and the watch goes on until it is stopped', async () => {
  const stop = new AbortController()
  const answers = ['healthy', undefined, 'healthy again']
  const shown: string[] = []
  await lookAgain({
    look: async () => answers.shift() ?? Promise.reject(new Error('no answer')),
    failed: (thrown) => String(thrown),
    show: (text) => {
      shown.push(text)
      if (answers.length === 0) stop.abort()
    },
    everyMs: 1,
    signal: stop.signal,
  })
  expect(shown).toEqual(['healthy', 'Error: no answer', 'healthy again'])
})
