import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writtenFiles } from './support/written-files.js'

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string }

/** What npm is asked for by name: as something to install, to run, to import or to depend on. */
const asked = [
  /npm (?:install|i|add)(?: -\S+)* (?<what>(?:@[\w-]+\/)?ichor(?:@[\w.-]+)?)(?=[\s`'"]|$)/gm,
  /npx(?: -\S+)* (?<what>(?:@[\w-]+\/)?ichor@[\w.-]+)/g,
  /(?:from|import\()\s*['"](?<what>ichor)(?:\/[\w-]+)?['"]/g,
  /"(?<what>ichor)": "\^?~?\d+\.\d+\.\d+"/g,
]
const found = writtenFiles.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  return asked.flatMap((kind) => [...text.matchAll(kind)].map(({ groups }) => `${file}: ${groups?.what}`))
})

test('npm is asked for the package that is ours: somebody else has the name ichor', () => {
  expect(found.filter((one) => !one.includes(`: ${name}`))).toEqual([])
})

test('pages and pipelines name it in this version', () => {
  const shown = found.filter((one) => !one.startsWith('src/'))
  expect(shown.filter((one) => !one.endsWith(`@${version}`))).toEqual([])
  expect(shown).toContain(`README.md: ${name}@${version}`)
})
