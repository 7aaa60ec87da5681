import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder = ''
let pages: string[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-site-'))
  execFileSync(process.execPath, ['scripts/site.mjs', folder])
  pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('every page of docs/ is a page of the site', () => {
  const sources = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  expect(pages.length).toBe(sources.length)
  expect(existsSync(join(folder, 'schema/inventory.schema.json'))).toBe(true)
})

test('nothing is loaded from elsewhere, nothing runs, and every link leads to a page', () => {
  for (const page of pages) {
    const html = readFileSync(join(folder, page), 'utf8')
    expect(html, page).not.toMatch(/<script|<iframe|<link|src="https?:/)
    const targets = [...html.matchAll(/(?:href|src)="((?!https?:|#)[^"#]+)/g)].map(([, target = '']) => target)
    expect(
      targets.filter((target) => !existsSync(join(folder, dirname(page), target))),
      page,
    ).toEqual([])
  }
})

test('a table, a list, code and emphasis are drawn as such', () => {
  const html = readFileSync(join(folder, 'networking.html'), 'utf8')
  expect(html).toContain('<th><code>network.mode</code></th>')
  expect(html).toMatch(/<pre><code class="yaml">network:/)
  expect(readFileSync(join(folder, 'getting-started.html'), 'utf8')).toMatch(/<li>Node 20\.19/)
  expect(readFileSync(join(folder, 'getting-started.html'), 'utf8')).toContain(
    '<strong>Keep a copy of that key</strong>',
  )
})
