import { setMaxListeners } from 'node:events'

/** How long a changing step may continue after the user stops the run. */
const graceMs = 15_000

/** Fires some seconds after the given signal, so that a call in flight may finish. Detaches when it ends. */
export function withGrace(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const late = new AbortController()
  setMaxListeners(0, late.signal)
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    timer = setTimeout(() => late.abort(signal.reason), graceMs).unref()
  }
  if (signal.aborted) arm()
  else signal.addEventListener('abort', arm, { once: true })
  const end = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', arm)
  }
  return { signal: late.signal, end }
}
