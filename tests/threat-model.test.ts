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
