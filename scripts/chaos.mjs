// Bundles tests/chaos and runs it, in several processes with --jobs: node scripts/chaos.mjs [--runs N] [--seed S] [--jobs N] …
// A few modules of src are replaced: several operators share the process, and leases follow a faster clock.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const outfile = `node_modules/.cache/ichor-chaos/${process.pid}.mjs`
const seams = resolve('tests/chaos/seams')
const replaced = new Map([
  [resolve('src/connect.js'), join(seams, 'connect.ts')],
  [resolve('src/clock.js'), join(seams, 'clock.ts')],
  [resolve('src/ownership/holder.js'), join(seams, 'holder.ts')],
])
const words = process.argv.slice(2)
/** A bug that needs another module of ichor, not only another world. */
const bug = words[words.indexOf('--planted') + 1]
for (const planted of JSON.parse(readFileSync(join(seams, 'planted/modules.json'), 'utf8')))
  if (words.includes('--planted') && planted.bug === bug)
    replaced.set(resolve(planted.replaces), join(seams, 'planted', `${bug}.ts`))
/** What ichor itself calls of Node, but not the lab: the disk of an operator may be full. */
const replacedOfNode = new Map([
  ['node:fs', join(seams, 'fs.ts')],
  ['node:fs/promises', join(seams, 'fs-promises.ts')],
])
const ofIchor = new RegExp(`^(${resolve('src')}/(?!simulator/|lab/)|${join(seams, 'planted')}/)`)

await build({
  entryPoints: ['tests/chaos/main.ts'],
  outfile,
  bundle: true,
  sourcemap: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
  plugins: [
    {
      name: 'seams',
      setup: ({ onResolve }) => {
        onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) => {
          const seam = importer.startsWith(seams) ? undefined : replaced.get(resolve(resolveDir, path))
          return seam === undefined ? undefined : { path: seam }
        })
        onResolve({ filter: /^node:fs/ }, ({ path, importer }) => {
          const seam = ofIchor.test(importer) ? replacedOfNode.get(path) : undefined
          return seam === undefined ? undefined : { path: seam }
        })
      },
    },
  ],
})

const at = words.indexOf('--jobs')
const jobs = at < 0 ? 1 : Number(words.splice(at, 2)[1])
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
const codes = await Promise.all(Array.from({ length: jobs }, (_none, index) => run(`${index + 1}/${jobs}`)))
rmSync(outfile, { force: true })
rmSync(`${outfile}.map`, { force: true })
process.exitCode = codes.every((code) => code === 0) ? 0 : 1

async function run(part) {
  const child = spawn(process.execPath, ['--enable-source-maps', outfile, '--part', part, ...words], {
    env,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  return code
}
