import type fc from 'fast-check'

/** A reader of what others wrote, and inputs that nobody would write. */
export interface Target {
  readonly name: string
  /** How many inputs it gets for each one of the others: slow readers get fewer. */
  readonly share: number
  prepare(): Promise<Prepared>
}

interface Prepared {
  readonly inputs: fc.Arbitrary<unknown>
  /** Reads one; throws only what ichor means to show. */
  read(input: unknown): unknown
  /** Removes what `prepare` made. */
  close?(): Promise<void>
}

export function defineTarget<T>(target: {
  name: string
  share?: number
  prepare(): Promise<{ inputs: fc.Arbitrary<T>; read(input: T): unknown; close?(): Promise<void> }>
}): Target {
  return {
    name: target.name,
    share: target.share ?? 1,
    prepare: async () => {
      const { inputs, read, close } = await target.prepare()
      return { inputs, read: (input) => read(input as T), ...(close === undefined ? {} : { close }) }
    },
  }
}
