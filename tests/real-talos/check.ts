import type { Guest } from './guest.js'

/** One thing that must be true of a real node, in the words of its user. */
export interface Check {
  readonly title: string
  run(guest: Guest): Promise<void>
}

export function expect(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise)
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

export async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}
