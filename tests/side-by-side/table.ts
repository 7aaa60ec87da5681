import { readFileSync, writeFileSync } from 'node:fs'
import type { Result } from './measure.js'

const page = 'docs/measurements.md'
const begin = '<!-- side by side: begin -->'
const end = '<!-- side by side: end -->'

/** The table of the results, which `--record` puts into docs/measurements.md. */
export function recordTable(results: readonly Result[], isRecorded: boolean): string {
  const table = [
    '| on a lab of three hosts at speed 1 | VMs started | create | calls | CPU | destroy | calls | CPU |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...results.map(rowOf),
  ].join('\n')
  if (isRecorded) {
    const [before = '', after = ''] = readFileSync(page, 'utf8').split(new RegExp(`(?<=${begin}\n)[^]*(?=\n${end})`))
    writeFileSync(page, `${before}${table}${after}`)
  }
  return table
}

function rowOf({ name, started, create, destroy }: Result): string {
  const phases = [create, destroy].flatMap(({ seconds, calls, cpuSeconds }) => [
    `${seconds.toFixed(1)} s`,
    String(calls),
    `${cpuSeconds.toFixed(1)} s`,
  ])
  return `| ${[name, `${started.toFixed(1)} s`, ...phases].join(' | ')} |`
}
