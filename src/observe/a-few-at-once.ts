/** Asks about all of them, so many at a time: patience with one must not run out while others are being asked. */
export async function aFewAtOnce<T, A>(
  things: readonly T[],
  limit: number,
  ask: (thing: T) => Promise<A>,
): Promise<A[]> {
  const answers: A[] = []
  const left = things.map((thing, index) => ({ thing, index }))
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) answers[next.index] = await ask(next.thing)
  }
  await Promise.all(Array.from({ length: Math.min(limit, things.length) }, worker))
  return answers
}
