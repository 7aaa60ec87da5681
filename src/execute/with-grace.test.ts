import { getEventListeners } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { withGrace } from './with-grace.js'

afterEach(() => vi.useRealTimers())

test('a call in flight may finish: it is stopped some seconds after the run', () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  const { signal } = withGrace(stop.signal)
  stop.abort(new Error('the user pressed Ctrl-C'))
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(15_000)
  expect(signal.reason).toMatchObject({ message: 'the user pressed Ctrl-C' })
})

test('a thousand steps of one run leave nothing attached to it', () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  for (let step = 0; step < 1000; step++) withGrace(stop.signal).end()
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
  const last = withGrace(stop.signal)
  stop.abort()
  last.end()
  expect(vi.getTimerCount()).toBe(0)
})
