import { execFileSync } from 'node:child_process'
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
        path.replace(/^(dist|advisories|deploy\/kubernetes)\/.*(\.d\.ts|\.js|\.css|\.yaml)$/, '$1/*$2'),
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
  expect(paths.length).toBeLessThan(500)
  expect(packed.size).toBeLessThan(1_500_000)
})

test('every package inside the bundle is named with its licence', () => {
  const text = readFileSync('dist/third-party-licenses.txt', 'utf8')
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  const { ssh2, 'prom-client': promClient, ...bundled } = dependencies
  for (const [name, version] of Object.entries(bundled)) expect(text).toContain(`\n${name} ${version}: `)
  expect(text).not.toContain(`\nssh2 ${ssh2}: `)
  expect(text).not.toContain(`\nprom-client ${promClient}: `)
  // What protobuf took from Google is under a licence of its own, which stands only in its files.
  expect(text).toContain('Copyright 2008 Google Inc.')
  expect(text).toContain('Neither the name of Google Inc.')
})

test('the packed package works where it is installed, and brings everything that it needs', async () => {
  const npm = (words: readonly string[], cwd: string) =>
    execFileSync('npm', [...words, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
  npm(['pack', '--pack-destination', desk.folder], process.cwd())
  const [tarball = ''] = readdirSync(desk.folder).filter((name) => name.endsWith('.tgz'))
  desk.write('package.json', '{ "private": true }')
  npm(['install', '--prefer-offline', `./${tarball}`], desk.folder)

  const run = (...words: string[]) =>
    execFileSync(join(desk.folder, 'node_modules', '.bin', 'ichor'), words, {
      cwd: desk.folder,
      env: desk.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(run('--version')).toBe(`${version}\n`)
  desk.write('inventory/cluster.yaml', smallInventory)
  expect(run('validate')).toContain('valid')
  expect(run('demo', '--speed', '200')).toContain('demo  HEALTHY')
  const { dependencies } = JSON.parse(
    readFileSync(join(desk.folder, 'node_modules/@ichor-talos/ichor/package.json'), 'utf8'),
  )
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(12)
})
