// Bundles the CLI, the library and the page of `ichor ui` into dist/. Commands stay lazy: each becomes a chunk of its own, beside one that most of them need.
// The packages that they need are inside, for a quick start; only prom-client, which is CommonJS, stays outside.
// Built beside and moved into place, so that a build that fails leaves the last one as it was.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { buildPage } from './build-page.mjs'
import { oneChunk } from './one-chunk.mjs'
import { pruneTypes } from './prune-types.mjs'
import { reflectFirst } from './reflect-first.mjs'
import { buildSsh2, ssh2Beside } from './ssh2.mjs'
import { thirdPartyLicenses } from './third-party-licenses.mjs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const fresh = `dist-${process.pid}`
const stale = `${fresh}-old`

/** What `ichor` needs to find the command. */
const frame = ['src/commands/frame/main.ts', 'src/commands/index.ts']
/** What nearly every command needs, beside everything that these import. */
const neededByMost = [
  'src/commands/render.ts',
  'src/inventory/index.ts',
  'src/inventory/patches.ts',
  'src/lock/lock-file.ts',
  'src/operations/spec/config-errors.ts',
  'src/operations/spec/addon-secrets.ts',
  'src/addons/resolve-addons.ts',
  'src/addons/custom.ts',
  'src/desired/addon-context.ts',
]
const options = {
  entryPoints: { bin: 'src/bin.ts', index: 'src/index.ts', 'simulator/index': 'src/simulator/index.ts' },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // A shorter text is compiled sooner; names stay, for the traces of --debug.
  minifyWhitespace: true,
  minifySyntax: true,
  define: { ICHOR_VERSION: JSON.stringify(version) },
  mainFields: ['module', 'main'],
  // It offers Node only CommonJS, all of which would be loaded at once.
  alias: { yaml: resolve('node_modules/yaml/browser/dist/index.js') },
  external: ['prom-client'],
  plugins: [reflectFirst, ssh2Beside],
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
}

try {
  const together = await oneChunk(options, {
    frame,
    roots: neededByMost,
    apart: ['src/commands/index.ts', 'src/commands/completion.ts'],
  })
  const { metafile } = await build({ ...options, plugins: [...options.plugins, together], metafile: true })
  const page = await buildPage(`${fresh}/ui`)
  const ssh2 = await buildSsh2(`${fresh}/chunks`)
  const inputs = { ...metafile.inputs, ...page.inputs, ...ssh2.inputs }
  writeFileSync(`${fresh}/third-party-licenses.txt`, thirdPartyLicenses({ inputs }))
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', fresh]
  execFileSync(process.execPath, tsc, { stdio: 'inherit' })
  pruneTypes(fresh, ['index.d.ts', 'simulator/index.d.ts'])
  moveIfThere('dist', stale)
  renameSync(fresh, 'dist')
} finally {
  for (const folder of [fresh, stale]) rmSync(folder, { recursive: true, force: true })
}

function moveIfThere(from, to) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
