/** Items of several streams as they arrive; ends when all have ended. If the caller stops reading, all are stopped. */
export async function* mergeStreams<T>(streams: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = async (stream: AsyncGenerator<T>) => ({ stream, result: await stream.next() })
  const pending = new Map(streams.map((stream) => [stream, next(stream)]))
  try {
    while (pending.size > 0) {
      const { stream, result } = await Promise.race(pending.values())
      if (result.done === true) pending.delete(stream)
      else {
        pending.set(stream, next(stream))
        yield result.value
      }
    }
  } finally {
    for (const stream of pending.keys()) void stream.return(undefined).catch(() => {})
  }
}
