import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeRendered } from './write-rendered.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-rendered-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const secret = { path: 'talos/nodes/dev-cp-1.yaml', content: 'key: new\n', mode: 0o600 }

test('files are written with their modes into new folders, and replace what was there', async () => {
  mkdirSync(join(folder, 'talos/nodes'), { recursive: true })
  writeFileSync(join(folder, secret.path), 'key: old, and longer than the new one\n', { mode: 0o644 })
  await writeRendered(folder, [secret, { path: 'ansible/hosts', content: Buffer.from('[all]\n'), mode: 0o644 }])
  expect(readFileSync(join(folder, secret.path), 'utf8')).toBe('key: new\n')
  expect(statSync(join(folder, secret.path)).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, 'ansible/hosts'), 'utf8')).toBe('[all]\n')
  expect(statSync(join(folder, 'ansible/hosts')).mode & 0o777).toBe(0o644)
})

test('what a killed run left half-written is removed by the next one', async () => {
  mkdirSync(join(folder, 'talos/nodes'), { recursive: true })
  writeFileSync(join(folder, 'talos/nodes/.dev-cp-1.yaml.tmp'), 'key: ha')
  await writeRendered(folder, [secret])
  expect(readdirSync(join(folder, 'talos/nodes'))).toEqual(['dev-cp-1.yaml'])
})

test('a file that cannot take its place leaves nothing behind', async () => {
  mkdirSync(join(folder, secret.path, 'in the way'), { recursive: true })
  await expect(writeRendered(folder, [secret])).rejects.toThrow()
  expect(readdirSync(join(folder, 'talos/nodes'))).toEqual(['dev-cp-1.yaml'])
})
