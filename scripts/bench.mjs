// Runs every bench in tests/bench in a process of its own and prints name, value and limit. Ratios within one run fail at their
// limit, other values at twice theirs: those depend on the machine.
//   node scripts/bench.mjs [part of a name]
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const folder = 'tests/bench'
const cache = 'node_modules/.cache/ichor-bench'
const wanted = process.argv[2] ?? ''
const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && file.includes(wanted))

mkdirSync(cache, { recursive: true })
await build({
  entryPoints: files.map((file) => join(folder, file)),
  outdir: cache,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
})
const runner = join(cache, 'run-one.mjs')
writeFileSync(
  runner,
  `const { default: bench } = await import(process.argv[2])
const results = [await bench.run()].flat()
process.stdout.write(\`\\n\${JSON.stringify(results.map((result) => ({ name: bench.name, ...result })))}\\n\`)
process.exit(0)
`,
)

const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
let failures = 0
for (const file of files) {
  const bundle = resolve(cache, file.replace(/\.ts$/, '.mjs'))
  const { status, stdout } = spawnSync(process.execPath, ['--expose-gc', runner, bundle], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) {
    failures++
    console.log(`failed   ${file}`)
    continue
  }
  for (const result of JSON.parse(stdout.trim().split('\n').at(-1))) failures += report(result) ? 0 : 1
}
process.exitCode = failures > 0 ? 1 : 0

/** `over` is worth a look. */
function report({ name, value, limit, unit, atLeast = false, isRatio = false }) {
  const times = atLeast ? limit / value : value / limit
  const verdict = times <= 1 ? 'ok' : times < 2 && !isRatio ? 'over' : 'failed'
  console.log(`${verdict.padEnd(7)}  ${name}: ${value} ${unit} (${atLeast ? 'at least' : 'at most'} ${limit})`)
  return verdict !== 'failed'
}
