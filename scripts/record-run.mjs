// Runs a command and writes what became of it into docs/measurements.md: node scripts/record-run.mjs npm run crash -- --all
import { spawnSync } from 'node:child_process'
import { buildSync } from 'esbuild'

const [program = '', ...words] = process.argv.slice(2)
const began = performance.now()
const { status } = spawnSync(program, words, { stdio: 'inherit' })
const minutes = Math.round((performance.now() - began) / 60_000)

const [file] = buildSync({
  entryPoints: ['tests/support/record-measurement.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
}).outputFiles
const { recordMeasurement } = await import(
  `data:text/javascript;base64,${Buffer.from(file.contents).toString('base64')}`
)
recordMeasurement([program, ...words].join(' '), `${status === 0 ? 'passed' : 'failed'}, ${minutes} min`)
process.exitCode = status ?? 1
