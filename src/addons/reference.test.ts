import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderAddonReference } from '../../tests/support/reference-pages/addons.js'

const page = 'docs/addons.md'
const marks = ['<!-- catalogue: written by src/addons/reference.test.ts -->\n', '<!-- end of catalogue -->'] as const

/** With `UPDATE_DOCS=1` the page is written again. */
test('the page on addons matches the catalogue', () => {
  const text = readFileSync(page, 'utf8')
  const [head = '', rest = ''] = text.split(marks[0])
  const tail = rest.split(marks[1])[1] ?? ''
  const wanted = `${head}${marks[0]}\n${renderAddonReference()}\n${marks[1]}${tail}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, wanted)
  expect(readFileSync(page, 'utf8')).toBe(wanted)
})
