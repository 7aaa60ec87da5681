// Bundles the CLI and the library into dist/. Commands stay lazy: each becomes a chunk of its own.
// Built beside and moved into place, so that a build that fails leaves the last one as it was.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { pruneTypes } from './prune-types.mjs'

const { dependencies, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const fresh = `dist-${process.pid}`
const stale = `${fresh}-old`

try {
  await build({
    entryPoints: { bin: 'src/bin.ts', index: 'src/index.ts', 'simulator/index': 'src/simulator/index.ts' },
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { ICHOR_VERSION: JSON.stringify(version) },
    external: Object.keys(dependencies),
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
  })
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
