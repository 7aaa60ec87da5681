import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const claims = [...readFileSync('docs/threat-model.md', 'utf8').matchAll(/`([^`]+\.test\.ts)`: "([^"]+)"/g)].map(
  ([, file = '', title = '']) => ({ file, title }),
)

test('every claim of the threat model names a test that exists', () => {
  expect(claims.length).toBeGreaterThan(15)
  const missing = claims.filter(({ file, title }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title))
  expect(missing).toEqual([])
})

test('no claim is without a test', () => {
  const [, section = ''] = readFileSync('docs/threat-model.md', 'utf8').split('## Claims and their tests')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| (?!claim|---)/.test(line))
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter((row) => !/`[^`]+\.test\.ts`: "[^"]+"/.test(row))).toEqual([])
})
