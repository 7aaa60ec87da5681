import { readFileSync, writeFileSync } from 'node:fs'

const page = 'docs/measurements.md'
const begin = '<!-- benches: begin -->'
const end = '<!-- benches: end -->'

/** Puts the results of a bench into its rows of docs/measurements.md, in place of its earlier ones. */
export function recordBench(bench, results) {
  const text = readFileSync(page, 'utf8')
  const start = text.indexOf(begin) + begin.length
  const stop = text.indexOf(end)
  const [head = '', rule = '', ...rows] = text.slice(start, stop).trim().split('\n')
  const others = rows.filter((row) => !row.startsWith(`| ${bench} |`))
  const own = results.map(({ name, shown, limit }) => `| ${bench} | ${name} | ${shown} | ${limit} |`)
  const table = [head, rule, ...[...others, ...own].sort(byBench)].join('\n')
  writeFileSync(page, `${text.slice(0, start)}\n${table}\n${text.slice(stop)}`)
}

/** The results of one bench stay in their order. */
function byBench(one, other) {
  const [first, second] = [one, other].map((row) => row.split(' | ')[0])
  return first === second ? 0 : first < second ? -1 : 1
}
