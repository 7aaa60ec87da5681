/** Why an expression is refused. */
export class CelError extends Error {}

/** With the place in the expression, as cel-go writes it. */
export function refusedAt(text: string, at: number, why: string): CelError {
  return new CelError(`ERROR: <input>:1:${at + 1}: ${why}\n | ${text}\n | ${'.'.repeat(at)}^`)
}

/** The evaluation failed, as by a variable that is not set. */
export class CelFailed extends Error {}
