import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(() => {
  desk = aDesk()
})
afterAll(() => desk.clear())

test('the package holds what is needed and no more', () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const [packed] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', shell: process.platform === 'win32' }))
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path)
  const kinds = [
    ...new Set(
      paths.map((path) =>
        path.replace(/^(dist|advisories|deploy\/kubernetes)\/.*(\.d\.ts|\.js|\.cjs|\.css|\.yaml)$/, '$1/*$2'),
      ),
    ),
  ].sort()
  expect(kinds).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'advisories/*.yaml',
    'deploy/grafana/ichor.json',
    'deploy/kubernetes/*.yaml',
    'deploy/monitoring/ichor.yaml',
    'deploy/prometheus/ichor.rules.yaml',
    'deploy/systemd/ichor-watch.service',
    'dist/*.cjs',
    'dist/*.css',
    'dist/*.d.ts',
    'dist/*.js',
    'dist/third-party-licenses.txt',
    'man/ichor.1',
    'package.json',
    'schema/inventory.schema.json',
  ])
  expect(paths.filter((path) => /test|testing|testdata/.test(path))).toEqual([])
  // Each command is a chunk of its own; declarations are those that the exports lead to.
  expect(paths.length).toBeLessThan(520)
  expect(packed.size).toBeLessThan(1_600_000)
})

test('every package inside the bundle is named with its licence', () => {
  const text = readFileSync('dist/third-party-licenses.txt', 'utf8')
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  const { 'prom-client': promClient, ...bundled } = dependencies
  for (const [name, version] of Object.entries(bundled)) expect(text).toContain(`\n${name} ${version}: `)
  for (const name of ['ssh2', 'asn1', 'bcrypt-pbkdf', 'preact']) expect(text).toContain(`\n${name} `)
  expect(text).not.toContain(`\nprom-client ${promClient}: `)
  // What protobuf took from Google is under a licence of its own, which stands only in its files.
  expect(text).toContain('Copyright 2008 Google Inc.')
  expect(text).toContain('Neither the name of Google Inc.')
})

interface Component {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string }
    readonly expression?: string
  }[]
}

/** Licences that an Apache-2.0 package may be shipped with. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']

test('the bill of materials has what is installed and what is inside the bundle, each with a licence that allows it', () => {
  const words = ['scripts/sbom.mjs']
  const bill = JSON.parse(
    execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  const components: Component[] = bill.components
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['ssh2', 'tweetnacl', 'preact', 'prom-client', 'tdigest', 'zod']))
  expect(names.filter((name) => ['vitest', 'typescript', 'esbuild', 'cpu-features', 'nan'].includes(name))).toEqual([])
  const licencesOf = ({ licenses = [] }: Component) =>
    licenses.flatMap(({ license, expression }) => expression ?? license?.id ?? license?.name ?? []).join(' AND ')
  const others = components.filter((one) =>
    licencesOf(one)
      .replace(/[()]/g, '')
      .split(/ AND | OR /)
      .some((licence) => !allowed.includes(licence)),
  )
  expect(others.map((one) => `${one.name}: ${licencesOf(one)}`)).toEqual([])
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(bill.metadata.component).toMatchObject({ name, version })
})

/** As npm runs in a shell, without what an npm around this test hands on. */
const shellOfOne = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || /^npm_config_(registry|cache)$/i.test(name)),
)

test('npm install -g prints no warning, runs no script, and brings a program that works', () => {
  const npm = (...words: string[]) =>
    spawnSync('npm', [...words, '--no-audit', '--no-fund'], {
      cwd: desk.folder,
      encoding: 'utf8',
      env: shellOfOne,
      shell: process.platform === 'win32',
    })
  npm('pack', process.cwd(), '--ignore-scripts')
  const [tarball = ''] = readdirSync(desk.folder).filter((name) => name.endsWith('.tgz'))
  const prefix = join(desk.folder, 'prefix')
  const { status, stderr } = npm('install', '-g', '--prefix', prefix, '--prefer-offline', `./${tarball}`)
  // What the settings of this computer are warned of is not of the package.
  const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line) && !/ user config /.test(line))
  expect({ status, warnings }).toEqual({ status: 0, warnings: [] })

  const isWindows = process.platform === 'win32'
  const run = (...words: string[]) =>
    execFileSync(isWindows ? join(prefix, 'ichor') : join(prefix, 'bin', 'ichor'), words, {
      cwd: desk.folder,
      env: desk.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: isWindows,
    })
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(run('--version')).toBe(`${version}\n`)
  desk.write('inventory/cluster.yaml', smallInventory)
  expect(run('validate')).toContain('valid')
  expect(run('demo', '--speed', '200')).toContain('demo  HEALTHY')
  const installed = join(prefix, isWindows ? '' : 'lib', 'node_modules', name)
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(12)
  const scripts = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^node_modules.*package\.json$/.test(file))
    .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(installed, file), 'utf8')).scripts ?? {}))
  expect(scripts.filter((script) => /^(pre|post)?install$/.test(script))).toEqual([])
})
