import type { FileHandle } from 'node:fs/promises'
import type { RunEvent } from '../events/event.js'

const chunkBytes = 256 * 1024

/** Reads a journal from its beginning on; what is appended comes with the next part. */
export class JournalTail {
  readonly #decoder = new TextDecoder()
  #position = 0
  #rest = ''

  /** The events of the next part of the file; `undefined` at its end. A line that is not complete waits for its rest. */
  async next(file: FileHandle): Promise<RunEvent[] | undefined> {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, this.#position)
    if (bytesRead === 0) return undefined
    this.#position += bytesRead
    const lines = (this.#rest + this.#decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => parsed(line) ?? [])
  }
}

function parsed(line: string): RunEvent | undefined {
  if (line === '') return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'seq' in value && 'type' in value
      ? (value as RunEvent)
      : undefined
  } catch {
    return undefined
  }
}
