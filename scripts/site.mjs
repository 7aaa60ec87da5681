// Writes docs/ as a static site: plain HTML, one style, no script, nothing from elsewhere. Usage: node scripts/site.mjs [FOLDER]
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { escapeHtml, markdownToHtml } from './site/markdown.mjs'

const out = resolve(process.argv[2] ?? 'dist-site')
const style = `
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.6 system-ui, sans-serif; margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav a { display: block; padding: .15rem 0; text-decoration: none; }
nav a.here { font-weight: 600; }
main { padding: 1rem 2rem 4rem; max-width: 56rem; }
img { max-width: 100%; }
code { font: .875em ui-monospace, monospace; background: #8881; padding: .1em .3em; border-radius: 3px; }
pre { padding: .9rem 1rem; overflow-x: auto; background: #8881; border-radius: 6px; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
@media (max-width: 50rem) { body { display: block; } nav { border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } }
`

/** Pages of the side bar, in the order of docs/README.md. */
function navigation(index) {
  return [...index.matchAll(/\[([^\]]+)\]\(((?!https?:|\.\.)[^)]+\.md)\)/g)].map(([, title, path]) => ({ title, path }))
}

function pageHtml({ title, body, path, entries }) {
  const up = '../'.repeat(path.split('/').length - 1)
  const link = ({ title: name, path: target }) =>
    `<a href="${up}${htmlPath(target)}"${target === path ? ' class="here"' : ''}>${escapeHtml(name)}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ichor</title>
<style>${style}</style>
</head>
<body>
<nav><a href="${up}index.html"><strong>ichor</strong></a>
${entries.map(link).join('\n')}
</nav>
<main>
${body}
</main>
</body>
</html>
`
}

function htmlPath(path) {
  return path.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
}

/** What is not a page of the site is named as a file of the repository. */
function withoutOutsideLinks(body, path) {
  return body.replace(/<a href="((?!https?:)[^"#]+)[^"]*">(.*?)<\/a>/g, (link, target, shown) =>
    relative('.', join(dirname(path), target)).startsWith('..')
      ? `<code>${shown.replace(/<\/?code>/g, '')}</code>`
      : link,
  )
}

const files = (await readdir('docs', { recursive: true })).map((file) => file.replaceAll('\\', '/')).sort()
const entries = navigation(await readFile('docs/README.md', 'utf8'))
await rm(out, { recursive: true, force: true })
for (const file of files.filter((name) => name.endsWith('.md'))) {
  const text = await readFile(join('docs', file), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file
  const target = join(out, htmlPath(file))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(
    target,
    pageHtml({ title, body: withoutOutsideLinks(markdownToHtml(text), file), path: file, entries }),
  )
}
for (const file of files.filter((name) => name.endsWith('.svg'))) await cp(join('docs', file), join(out, file))
await mkdir(join(out, 'schema'), { recursive: true })
await cp('schema/inventory.schema.json', join(out, 'schema/inventory.schema.json'))
process.stdout.write(`${out}\n`)
