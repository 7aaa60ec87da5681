import type { Observed } from '../../observe/observed.js'

/** What the nodes report of that kind, by machine. */
export function nodeProblems({ machines }: Observed, kind: 'volume' | 'secure-boot') {
  return machines.flatMap(({ name, talos }) => {
    const problems = talos.reach === 'secured' ? (talos.problems ?? []) : []
    return problems.filter((problem) => problem.kind === kind).map(({ text, fix }) => ({ name, text, fix }))
  })
}
