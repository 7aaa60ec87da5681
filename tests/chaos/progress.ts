import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** A hunt of thousands, a line for every sequence: it goes on where it ended, in as many processes as one likes. */
export interface Progress {
  isDone(seed: number): boolean
  note(seed: number, promise: string | undefined): void
  /** Of all processes that share the file. */
  summary(): string
}

interface Line {
  readonly seed: number
  /** The promise that was broken. */
  readonly broken?: string
}

export function openProgress(path: string): Progress {
  const lines = () =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Line)
      : []
  const done = new Set(lines().map(({ seed }) => seed))
  return {
    isDone: (seed) => done.has(seed),
    note: (seed, broken) => appendFileSync(path, `${JSON.stringify({ seed, broken })}\n`),
    summary: () => perThousand(lines()),
  }
}

/** The last word on each seed counts: one that was broken is run again once it is repaired. */
function perThousand(lines: readonly Line[]): string {
  const last = new Map(lines.map((line) => [line.seed, line]))
  const broken = [...last.values()].filter((line) => line.broken !== undefined)
  const rate = last.size === 0 ? 0 : (broken.length / last.size) * 1000
  return `${last.size} sequences, ${broken.length} broken (${rate.toFixed(1)} in a thousand)`
}
