/** New events in order, until the signal fires. Listening starts with the call, not with the first read. */
export function following<T>(
  listen: (listener: (item: T) => void) => () => void,
  signal: AbortSignal,
): AsyncIterable<T> {
  const queue: T[] = []
  let wake = () => {}
  const stop = listen((item) => {
    queue.push(item)
    wake()
  })
  const onAbort = () => {
    stop()
    wake()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return (async function* () {
    try {
      while (!signal.aborted) {
        const item = queue.shift()
        if (item !== undefined) yield item
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      stop()
      signal.removeEventListener('abort', onAbort)
    }
  })()
}
