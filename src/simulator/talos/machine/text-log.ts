const kept = 2000

/** Lines of a log that can be followed: the kernel's ring buffer, or the output of a service. */
export class TextLog {
  readonly #lines: string[] = []
  readonly #listeners = new Set<(line: string) => void>()

  write(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > kept) this.#lines.shift()
    for (const listener of this.#listeners) listener(line)
  }

  /** -1 returns everything that is kept. */
  tail(count: number): string[] {
    if (count < 0) return [...this.#lines]
    return count === 0 ? [] : this.#lines.slice(-count)
  }

  listen(listener: (line: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
