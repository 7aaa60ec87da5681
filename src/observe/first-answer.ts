import { setTimeout as sleep } from 'node:timers/promises'

/** How long one may be silent before the next is asked as well. */
const silenceMs = 1500

/** The first answer. The next one is asked once one has failed or been silent for a moment. */
export async function firstAnswer<One, Answer>(
  ones: readonly One[],
  ask: (one: One, signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const silence = () => sleep(silenceMs, undefined, { signal: until }).catch(() => undefined)
  let begin: Promise<unknown> = Promise.resolve()
  const answers = ones.map((one) => {
    const answer = begin.then(() => {
      until.throwIfAborted()
      return ask(one, until)
    })
    begin = Promise.race([begin.then(silence), answer.then(silence, () => undefined)])
    return answer
  })
  try {
    return await Promise.any(answers)
  } catch (thrown) {
    throw thrown instanceof AggregateError ? thrown.errors[0] : thrown
  } finally {
    over.abort()
  }
}
