import { setTimeout as wait } from 'node:timers/promises'

/** Asks again and again, and ends with what the last question said; a question that throws has no answer yet. */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined>,
  isHopeless: () => string | undefined,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000
  let last = 'nothing was answered'
  while (performance.now() < deadline) {
    const why = isHopeless()
    if (why !== undefined) throw new Error(`Waited for ${what}: ${why}`)
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
      last = 'not yet'
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
    await wait(1000)
  }
  throw new Error(`Waited ${seconds} s for ${what}. Last: ${last}`)
}
