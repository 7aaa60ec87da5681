/**
 * The lab's clock. Model time runs `speed` times as fast as real time; every duration in the simulator is in model
 * milliseconds and uses this clock, so that a ten-minute download takes a second.
 */
export interface SimClock {
  readonly speed: number
  /** Model milliseconds since 1970. */
  now(): number
  /** Rejects when the signal fires. */
  sleep(modelMs: number, signal?: AbortSignal): Promise<void>
  /** Runs once after that model time; the returned function cancels it. */
  after(modelMs: number, run: () => void): () => void
  /** Ends every timer. */
  stop(): void
}

export function createSimClock({ speed, startAt }: { speed: number; startAt?: number }): SimClock {
  const wallStart = performance.now()
  const modelStart = startAt ?? Date.now()
  const timers = new Set<NodeJS.Timeout>()

  const after = (modelMs: number, run: () => void) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        run()
      },
      Math.max(0, modelMs / speed),
    )
    timers.add(timer)
    return () => {
      clearTimeout(timer)
      timers.delete(timer)
    }
  }

  return {
    speed,
    now: () => Math.round(modelStart + (performance.now() - wallStart) * speed),
    after,
    sleep: sleepBy(after),
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}

/** A sleep for any clock with timers. @internal */
export function sleepBy(after: SimClock['after']): SimClock['sleep'] {
  return (modelMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = after(modelMs, () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
      signal?.addEventListener('abort', onAbort, { once: true })
    })
}
