import { readFileSync } from 'node:fs'

/** Groups and pages of the side bar: the headings and tables of docs/README.md. */
export function sidebarOf(index = readFileSync(new URL('../docs/README.md', import.meta.url), 'utf8')) {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')).trim(),
      items: [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text, path]) => ({
        text,
        link: `/${path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '')}`,
      })),
    }))
}
