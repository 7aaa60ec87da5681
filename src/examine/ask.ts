import { type Seen, seen, unseen } from '../cluster/seen.js'
import { reasonOf } from '../errors.js'

/** What the call returns, or why it does not. The patience of an examination ends alike for all its calls. */
export async function ask<T>(call: Promise<T>, patience: AbortSignal): Promise<Seen<T>> {
  try {
    return seen(await call)
  } catch (thrown) {
    return unseen(patience.aborted ? 'no answer in time' : reasonOf(thrown))
  }
}
