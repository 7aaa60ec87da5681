import { afterEach, expect, test, vi } from 'vitest'
import { FellSilent, listen } from './stream.js'

afterEach(() => vi.useRealTimers())

/** Yields these words, then waits until it is ended. */
async function* source(words: readonly string[], signal: AbortSignal, onSilence = () => {}) {
  yield* words
  await new Promise((_, reject) => {
    onSilence()
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

const forever = new AbortController().signal

test('a reader that has heard enough ends the stream on the wire', async () => {
  let ended: AbortSignal | undefined
  const start = (signal: AbortSignal) => {
    ended = signal
    return source(['one', 'two'], signal)
  }
  for await (const word of listen(start, { signal: forever })) {
    expect(word).toBe('one')
    break
  }
  expect(ended?.aborted).toBe(true)
})

test('an abort ends it with the reason of the abort', async () => {
  const stop = new AbortController()
  const read = async () => {
    for await (const _ of listen((signal) => source(['one'], signal), { signal: stop.signal })) {
      stop.abort(new Error('stopped'))
    }
  }
  await expect(read()).rejects.toThrow('stopped')
})

test('silence ends it, but the time that the reader takes is not silence', async () => {
  vi.useFakeTimers()
  const heard: string[] = []
  let onSilence = () => {}
  const silence = new Promise<void>((resolve) => {
    onSilence = resolve
  })
  const start = (signal: AbortSignal) => source(['one', 'two'], signal, () => onSilence())
  const read = async () => {
    for await (const word of listen(start, { signal: forever, silenceMs: 30_000 })) {
      heard.push(word)
      await vi.advanceTimersByTimeAsync(60_000)
    }
  }
  const reading = expect(read()).rejects.toThrow(FellSilent)
  await silence
  await vi.advanceTimersByTimeAsync(30_000)
  await reading
  expect(heard).toEqual(['one', 'two'])
})
