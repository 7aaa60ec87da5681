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
  const { dependencies } = JSON.parse(readFileSync(join(desk.folder, 'node_modules/ichor/package.json'), 'utf8'))
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(12)
})
