/** The peer sent nothing for too long, although it is still connected. */
export class FellSilent extends Error {
  constructor(ms: number) {
    super(`nothing came for ${Math.round(ms / 1000)} s`)
  }
}

export interface Listening {
  readonly signal: AbortSignal
  /** How long the peer may be silent before the stream fails; unlimited if silence is normal. */
  readonly silenceMs?: number
}

/**
 * The messages of a stream, which is cancelled as soon as the reader stops. Only waiting for the peer counts as
 * silence, not the time that the reader takes.
 */
export async function* listen<T>(
  start: (signal: AbortSignal) => AsyncIterable<T>,
  { signal, silenceMs }: Listening,
): AsyncGenerator<T, void> {
  const ending = new AbortController()
  const onAbort = () => ending.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const messages = start(ending.signal)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await patiently(messages.next(), ending, silenceMs)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    ending.abort()
  }
}

async function patiently<T>(next: Promise<T>, ending: AbortController, silenceMs: number | undefined): Promise<T> {
  if (silenceMs === undefined) return next
  const silence = new FellSilent(silenceMs)
  const timer = setTimeout(() => ending.abort(silence), silenceMs)
  try {
    return await next
  } catch (thrown) {
    throw ending.signal.reason === silence ? silence : thrown
  } finally {
    clearTimeout(timer)
  }
}
