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

/** The same with the page, tests, scripts and everything else that people wrote; not what was recorded or generated. */
export const allWrittenFiles = execFileSync('git', ['ls-files', '-z'])
  .toString()
  .split('\0')
  .filter((file) => /\.(tsx?|mjs|md|sh|ya?ml|go|py|service|css|html)$/.test(file))
  .filter((file) => !/(^|\/)(testdata|reference-pages)\/|^(src\/wire|schema|man)\//.test(file))
  // The lists of the words themselves.
  .filter((file) => !/^tests\/plain-(words|pages)\.test\.ts$/.test(file))

/** The lines that match, each with its place. */
export function linesWith(pattern: RegExp, chosen: readonly string[]): string[] {
  return chosen.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}
