// Judges the built site: every link and anchor leads somewhere, and no page requests anything from elsewhere.
//   node tests/site/check.mjs dist-site
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(process.argv[2] ?? 'dist-site')
const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
const texts = new Map(pages.map((page) => [page, readFileSync(join(root, page), 'utf8')]))
const problems = []

for (const [page, html] of texts) {
  for (const [, target = ''] of html.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
    if (/^(https?:|data:|mailto:)/.test(target)) continue
    const [path = '', anchor = ''] = decodeURI(target).split('#')
    const file =
      path === '' ? page : relative(root, path.startsWith('/') ? join(root, path) : join(root, dirname(page), path))
    const found = file === '' ? 'index.html' : file
    if (!existsSync(join(root, found))) problems.push(`${page}: ${target} leads nowhere`)
    else if (anchor !== '' && found.endsWith('.html') && !texts.get(found)?.includes(`id="${anchor}"`))
      problems.push(`${page}: ${target}: there is no such heading`)
  }
  const foreign = [...html.matchAll(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(https?:[^"]+)"/g)]
  for (const [, target] of foreign) problems.push(`${page}: loads ${target}`)
}
for (const file of readdirSync(join(root, 'assets'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.css'),
))
  if (/url\(["']?https?:|@import/.test(readFileSync(join(root, 'assets', file), 'utf8')))
    problems.push(`assets/${file}: loads from elsewhere`)

for (const problem of problems) console.error(problem)
console.log(
  `${pages.length - Math.min(pages.length, new Set(problems.map((line) => line.split(':')[0])).size)} passed, ${problems.length} failed`,
)
process.exitCode = problems.length === 0 ? 0 : 1
