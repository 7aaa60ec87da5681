// Writes ichor as one executable of at most 120 MB, for the system and processor that it runs on: node scripts/executable.mjs [FILE]
// It is the Node that runs this script with the bundled program inside (Node's single executable application).
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { buildPage } from './build-page.mjs'
import { withoutNativeParts } from './ssh2.mjs'

const most = 120_000_000
const out = resolve(process.argv[2] ?? 'dist-executable/ichor')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const advisories = readdirSync('advisories')
  .sort()
  .map((file) => readFileSync(join('advisories', file), 'utf8'))
const work = `${out}-parts`

try {
  mkdirSync(work, { recursive: true })
  mkdirSync(dirname(out), { recursive: true })
  await buildPage(work)
  const page = {
    script: readFileSync(join(work, 'page.js'), 'utf8'),
    style: readFileSync(join(work, 'page.css'), 'utf8'),
  }
  await build({
    entryPoints: { ichor: 'src/bin.ts' },
    outdir: work,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    plugins: [withoutNativeParts],
    define: {
      ICHOR_VERSION: JSON.stringify(version),
      ICHOR_ADVISORIES: JSON.stringify(advisories),
      ICHOR_PAGE: JSON.stringify(page),
    },
    logLevel: 'error',
  })
  const config = join(work, 'sea.json')
  const blob = join(work, 'ichor.blob')
  writeFileSync(
    config,
    JSON.stringify({ main: join(work, 'ichor.cjs'), output: blob, disableExperimentalSEAWarning: true }),
  )
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'ignore' })
  copyFileSync(process.execPath, out)
  chmodSync(out, 0o755)
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  const inject = ['--yes', 'postject@1.0.0-alpha.6', out, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]
  const isMac = process.platform === 'darwin'
  // macOS runs nothing whose signature does not fit. On Linux, names that only debuggers need are a seventh of Node.
  if (isMac) execFileSync('codesign', ['--remove-signature', out])
  else if (process.platform === 'linux') execFileSync('strip', [out])
  const system = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  execFileSync('npx', [...inject, ...system], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (isMac) execFileSync('codesign', ['--sign', '-', out])
  const { size } = statSync(out)
  if (size > most) throw new Error(`${out} has ${size} bytes, and ${most} are allowed.`)
  process.stdout.write(`${out}  ${(size / 1e6).toFixed(1)} MB\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
