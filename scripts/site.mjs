// Builds docs/ as a static site with VitePress. Usage: node scripts/site.mjs [FOLDER]
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, resolve } from 'node:path'

const out = resolve(process.argv[2] ?? 'dist-site')
const pages = 'site/.pages'

/** VitePress has more dependencies than ichor and everything else together, so it is installed for this alone. */
function install() {
  if (existsSync('site/node_modules/vitepress')) return
  process.stderr.write('installing the site generator (npm ci)\n')
  run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'])
}

function run(program, args) {
  const { status } = spawnSync(program, args, {
    cwd: 'site',
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** What is not a page of the site is named as a file of the repository. */
function withoutOutsideLinks(text, file) {
  return text.replace(/(?<!!)\[([^\]]+)\]\(((?!https?:|#)[^)\s]+)\)/g, (link, shown, target) => {
    const path = normalize(join('docs', dirname(file), target))
    return path.startsWith('docs/') ? link : `${shown} (\`${path.replace(/#.*/, '')}\`)`
  })
}

install()
await rm(pages, { recursive: true, force: true })
for (const file of (await readdir('docs', { recursive: true })).map((name) => name.replaceAll('\\', '/'))) {
  const target = join(pages, file === 'README.md' ? 'contents.md' : file.replace(/README\.md$/, 'index.md'))
  await mkdir(dirname(target), { recursive: true })
  if (file.endsWith('.md'))
    await writeFile(
      target,
      withoutOutsideLinks(await readFile(join('docs', file), 'utf8'), file).replaceAll(/\bREADME\.md\b/g, 'index.md'),
    )
  else if (/\.(svg|png)$/.test(file)) await cp(join('docs', file), target)
}
await cp('site/index.md', join(pages, 'index.md'))
run('npx', ['vitepress', 'build', '--outDir', out])
await mkdir(join(out, 'schema'), { recursive: true })
await cp('schema/inventory.schema.json', join(out, 'schema/inventory.schema.json'))
process.stdout.write(`${out}\n`)
