import type { IncomingMessage } from 'node:http'

export interface BodyLimits {
  readonly maxBytes: number
  /** The longest pause. */
  readonly silenceMs?: number
  /** The maximum time for the whole body. */
  readonly deadlineMs?: number
  /** Aborts it. */
  readonly signal?: AbortSignal
}

/** Longer than expected: reading on would only fill the memory. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong'

  constructor(maxBytes: number) {
    super(`the answer is too long, more than ${Math.round(maxBytes / 1024 / 1024)} MiB`)
  }
}

/** The whole body of a response, within limits: one that is too long is refused, one that stalls is aborted. */
export async function readBody(answer: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of boundBody(answer, limits)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The body as a stream, within the same limits. */
export async function* boundBody(answer: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
  const { maxBytes, silenceMs, deadlineMs, signal } = limits
  const onAbort = () => answer.destroy(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const end = (ms: number) => answer.destroy(new Error(`the answer stopped half-way for ${ms / 1000} s`))
  const total = deadlineMs === undefined ? undefined : setTimeout(() => end(deadlineMs), deadlineMs)
  let silence: NodeJS.Timeout | undefined
  const listen = () => {
    silence = silenceMs === undefined ? undefined : setTimeout(() => end(silenceMs), silenceMs)
  }
  try {
    refuseLong(Number(answer.headers['content-length'] ?? 0), maxBytes)
    let size = 0
    listen()
    for await (const chunk of answer) {
      clearTimeout(silence)
      size += (chunk as Buffer).byteLength
      refuseLong(size, maxBytes)
      // The reader's own time is not counted as a pause.
      yield chunk as Buffer
      listen()
    }
  } finally {
    clearTimeout(silence)
    clearTimeout(total)
    signal?.removeEventListener('abort', onAbort)
    answer.destroy()
  }
}

function refuseLong(size: number, maxBytes: number): void {
  if (size > maxBytes) throw new BodyTooLong(maxBytes)
}
