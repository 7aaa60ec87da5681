/** Admits a limited number at once; the others wait in order, or until their signal fires. */
export interface Gate {
  pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export function createGate(limit: number): Gate {
  let inside = 0
  const waiting: (() => void)[] = []

  const enter = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    if (inside < limit) {
      inside++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(admit), 1)
        reject(signal.reason)
      }
      waiting.push(admit)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** The longest waiter takes over the slot. */
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) inside--
    else next()
  }

  return {
    pass: async (work, signal) => {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
