import { expect, test } from 'vitest'
import { systemClock } from '../clock.js'
import { interruptible } from './interruptible.js'

test('a pause ends when the run is stopped, whatever signal it was given', async () => {
  const [stop, grace] = [new AbortController(), new AbortController()]
  const pause = interruptible(systemClock, stop.signal).sleep(3_600_000, grace.signal)
  stop.abort(new Error('the user pressed Ctrl-C'))
  await expect(pause).rejects.toThrow()
})
