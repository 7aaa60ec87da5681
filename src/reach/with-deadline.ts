/**
 * Runs work under a signal that also fires after a timeout. The outer signal may live for months, so nothing stays
 * attached to it: `AbortSignal.any` would leave a trace of every call.
 */
export function withDeadline<T>(outer: AbortSignal, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const arm = (end: (reason: unknown) => void) => {
    const timer = setTimeout(() => end(new DOMException(`no answer in ${ms} ms`, 'TimeoutError')), ms)
    return () => clearTimeout(timer)
  }
  return withOwnSignal(outer, arm, work)
}

/** Runs work under a signal of its own, which something else may end, too. `arm` returns how to stop that. */
export async function withOwnSignal<T>(
  outer: AbortSignal,
  arm: (end: (reason: unknown) => void) => () => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController()
  const onAbort = () => inner.abort(outer.reason)
  const disarm = arm((reason) => inner.abort(reason))
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(inner.signal)
  } finally {
    disarm()
    outer.removeEventListener('abort', onAbort)
  }
}
