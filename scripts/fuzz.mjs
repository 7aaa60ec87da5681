// Bundles tests/fuzz and runs it: node scripts/fuzz.mjs [--inputs N] [--seed S] [--only PART OF A NAME]
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

const outfile = `node_modules/.cache/ichor-fuzz/${process.pid}.mjs`
await build({
  entryPoints: ['tests/fuzz/main.ts'],
  outfile,
  bundle: true,
  sourcemap: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
})
const words = ['--expose-gc', '--enable-source-maps', outfile, ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' })
rmSync(outfile, { force: true })
rmSync(`${outfile}.map`, { force: true })
process.exitCode = status ?? 1
