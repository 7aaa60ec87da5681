/** What came of one recorded exchange. */
export interface Outcome {
  readonly file: string
  readonly title: string
  readonly request: string
  /** Empty when the lab answered as recorded. */
  readonly difference: string
}

type FindReason = (file: string, title: string) => string | undefined

/** Two tables: how many agree by file, and why the others do not. */
export function describeOutcomes(outcomes: readonly Outcome[], findReason: FindReason): string {
  const agreeing = outcomes.filter(({ difference }) => difference === '').length
  const percent = ((100 * agreeing) / outcomes.length).toFixed(1)
  return [
    ...byFile(outcomes),
    '',
    ...byReason(outcomes, findReason),
    '',
    `${agreeing} of ${outcomes.length} recorded exchanges agree (${percent} %)`,
  ].join('\n')
}

function byFile(outcomes: readonly Outcome[]): string[] {
  const names = [...new Set(outcomes.map(({ file }) => file.replace('pve9/', '')))].sort()
  const rows = names.map((name) => [name, shareOf(outcomes, name), shareOf(outcomes, `pve9/${name}`)])
  return [['agree', '8.4', '9.2'], ...rows].map(
    ([name = '', eight = '', nine = '']) => name.padEnd(26) + eight.padStart(10) + nine.padStart(10),
  )
}

function shareOf(outcomes: readonly Outcome[], file: string): string {
  const all = outcomes.filter((outcome) => outcome.file === file)
  return all.length === 0 ? '-' : `${all.filter(({ difference }) => difference === '').length}/${all.length}`
}

function byReason(outcomes: readonly Outcome[], findReason: FindReason): string[] {
  const differing = outcomes.filter(({ difference }) => difference !== '')
  const reasons = differing.map(({ file, title }) => findReason(file, title) ?? `IN NO TABLE: ${file} | ${title}`)
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${String(count).padStart(5)} differ: ${reason}`)
}
