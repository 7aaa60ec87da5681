import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const { sidebarOf } = (await import(new URL('../site/sidebar.mjs', import.meta.url).href)) as {
  sidebarOf(): { text: string; items: { text: string; link: string }[] }[]
}

test('every page of docs/ is in the navigation of the site, once and under a heading', () => {
  const listed = sidebarOf().flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`))
  const pages = readdirSync('docs', { encoding: 'utf8' }).filter((file) => file.endsWith('.md') && file !== 'README.md')
  expect(listed.toSorted()).toEqual([...pages, 'examples/index.md'].toSorted())
})
