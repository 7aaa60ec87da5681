/**
 * Runs work under a signal that also fires after a timeout. The outer signal may live for months, so nothing stays
 * attached to it: `AbortSignal.any` would leave a trace of every call.
 */
export async function withDeadline<T>(
  outer: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController()
  const onAbort = () => inner.abort(outer.reason)
  const timer = setTimeout(() => inner.abort(new DOMException(`no answer in ${ms} ms`, 'TimeoutError')), ms)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(inner.signal)
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', onAbort)
  }
}
