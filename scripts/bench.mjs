// Runs every bench in tests/bench in a process of its own and prints name, value and limit. What is over its limit fails. Times and
// rates depend on the computer: they are compared as if it did a fixed amount of work, measured in the same run, as fast as the
// one that the limits were set on.
//   node scripts/bench.mjs [part of a name] [--record] [options of the bench]
// With --record the results go into docs/measurements.md.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { referenceMs } from './fixed-work.mjs'
import { recordBench } from './record-bench.mjs'

const folder = 'tests/bench'
const cache = 'node_modules/.cache/ichor-bench'
const [wanted = '', ...options] = process.argv.slice(2)
const all = readdirSync(folder).filter((file) => file.endsWith('.ts'))
const files = all.filter((file) => file.includes(wanted))
if (files.length === 0) {
  console.error(`There is no bench "${wanted}"; there are ${all.map((file) => file.replace(/\.ts$/, '')).join(', ')}.`)
  process.exit(2)
}

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
  const before = fixedWork('fixedWorkMs')
  const bundle = resolve(cache, file.replace(/\.ts$/, '.mjs'))
  const { status, stdout } = spawnSync(process.execPath, ['--expose-gc', runner, bundle, ...options], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) {
    failures++
    console.log(`failed   ${file}`)
    continue
  }
  const workMs = (before + fixedWork('fixedWorkMs')) / 2
  const cpuWorkMs = fixedWork('fixedWorkCpuMs')
  const results = JSON.parse(stdout.trim().split('\n').at(-1)).map((result) =>
    compare({ ...result, workMs, cpuWorkMs }),
  )
  for (const { isOk, name, shown, limit } of results)
    console.log(`${isOk ? 'ok    ' : 'failed'}  ${name}: ${shown} (${limit})`)
  failures += results.filter(({ isOk }) => !isOk).length
  if (options.includes('--record')) recordBench(file.replace(/\.ts$/, ''), results)
}
process.exitCode = failures > 0 ? 1 : 0

/** In a process of its own, as on the computer that the limits were set on: whatever ran before makes the same code faster. */
function fixedWork(measure) {
  const script = `import { ${measure} } from ${JSON.stringify(pathToFileURL(resolve('scripts/fixed-work.mjs')).href)}
console.log(${measure}())`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  return Number(stdout)
}

function compare({ name, value, limit, unit, workMs, cpuWorkMs, atLeast = false, isCpu = false }) {
  const slowness = (isCpu ? cpuWorkMs : workMs) / referenceMs
  const isTime = unit === 'ms' || unit === 's'
  const isRate = unit.endsWith('/s')
  const compared = isTime ? value / slowness : isRate ? value * slowness : value
  const isOk = atLeast ? compared >= limit : compared <= limit
  const shown = isTime || isRate ? `${value} ${unit}, ${round(compared)} at reference speed` : `${value} ${unit}`
  return { name, isOk, shown, limit: `${atLeast ? 'at least' : 'at most'} ${limit}` }
}

function round(value) {
  return value < 10 ? Number(value.toFixed(1)) : Math.round(value)
}
