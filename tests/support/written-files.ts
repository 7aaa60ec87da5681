import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Code, pages and examples that people wrote. */
export const writtenFiles = execFileSync('git', [
  'ls-files',
  '-z',
  'src',
  'docs',
  'decisions',
  'examples',
  'README.md',
  'CHANGELOG.md',
])
  .toString()
  .split('\0')
  .filter((file) => /\.(ts|md|yaml)$/.test(file) && !file.startsWith('src/wire/'))

/** The lines that match, each with its place. */
export function linesWith(pattern: RegExp, chosen: readonly string[]): string[] {
  return chosen.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}
