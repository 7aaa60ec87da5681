/** A broken promise: which one, and how. Two failures of one promise are the same failure to whoever cuts a sequence down. */
export class Broken extends Error {
  readonly promise: string

  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`)
    this.promise = promise
  }
}
