const contextLines = 3

/**
 * One hunk with its context, as in a unified diff: from the first line that differs to the last one. The context can
 * have secrets. `undefined` if nothing differs.
 */
export function textDiff(before: string, after: string): string | undefined {
  if (before === after) return undefined
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const start = old.findIndex((line, index) => line !== fresh[index])
  const from = start < 0 ? old.length : start
  const end = commonEnd(old.slice(from), fresh.slice(from))
  const [removed, added] = [old.slice(from, old.length - end), fresh.slice(from, fresh.length - end)]
  const head = old.slice(Math.max(0, from - contextLines), from)
  const tail = old.slice(old.length - end, old.length - end + contextLines)
  const at = from - head.length + 1
  const sizes = [removed, added].map((lines) => head.length + lines.length + tail.length)
  return [
    '--- a',
    '+++ b',
    `@@ -${at},${sizes[0]} +${at},${sizes[1]} @@`,
    ...head.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ].join('\n')
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  const longest = Math.min(one.length, other.length)
  for (let count = 0; count < longest; count++) if (one.at(-1 - count) !== other.at(-1 - count)) return count
  return longest
}
