/** Queries all of them, a limited number at a time, so that timeouts do not expire while requests wait in line. */
export async function mapLimit<T, A>(things: readonly T[], limit: number, ask: (thing: T) => Promise<A>): Promise<A[]> {
  const answers: A[] = []
  const left = things.map((thing, index) => ({ thing, index }))
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) answers[next.index] = await ask(next.thing)
  }
  await Promise.all(Array.from({ length: Math.min(limit, things.length) }, worker))
  return answers
}
