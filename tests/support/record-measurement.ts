import { readFileSync, writeFileSync } from 'node:fs'

const page = 'docs/measurements.md'

/** Puts what a command measured into its row of docs/measurements.md, in place of what it measured before. */
export function recordMeasurement(command: string, result: string): void {
  const row = `| \`${command}\` | ${result} | ${new Date().toISOString().slice(0, 10)} |`
  const lines = readFileSync(page, 'utf8').split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| \`${command}\` |`))
  const head = lines.findIndex((line) => line.startsWith('| command |'))
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'))
  writeFileSync(page, (at < 0 ? lines.toSpliced(end, 0, row) : lines.with(at, row)).join('\n'))
}
