import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plainIso } from '../../core/plain-iso.js'
import { readIsoVolume } from './iso9660.js'

test('an ISO with bare names gives its label and its files', () => {
  const volume = readIsoVolume(plainIso('cidata', { 'user-data': 'machine: {}', 'meta-data': '' }))
  expect(volume?.label).toBe('cidata')
  expect([...(volume?.files ?? [])].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
    ['user-data', 'machine: {}'],
    ['meta-data', ''],
  ])
})

test('bytes that are no ISO give nothing', () => {
  expect(readIsoVolume(Buffer.alloc(100_000))).toBeUndefined()
  expect(readIsoVolume(Buffer.from('short'))).toBeUndefined()
})

const genisoimage = spawnSync('genisoimage', ['--version']).status === 0

test.skipIf(!genisoimage).each([
  { flags: ['-R'], because: 'Rock Ridge keeps the name' },
  { flags: ['-J'], because: 'Joliet keeps the name' },
  { flags: ['-R', '-J'], because: 'either keeps the name' },
])('an ISO by genisoimage with $flags is read: $because', ({ flags }) => {
  const folder = mkdtempSync(join(tmpdir(), 'iso-'))
  try {
    const long = 'x'.repeat(300_000)
    writeFileSync(join(folder, 'user-data'), long)
    writeFileSync(join(folder, 'network-config'), 'version: 1\n')
    const iso = join(folder, 'out.iso')
    const files = ['user-data', 'network-config'].map((name) => join(folder, name))
    expect(spawnSync('genisoimage', ['-quiet', '-V', 'CIDATA', ...flags, '-o', iso, ...files]).status).toBe(0)
    const volume = readIsoVolume(readFileSync(iso))
    expect(volume?.label).toBe('CIDATA')
    expect(Buffer.from(volume?.files.get('user-data') ?? []).toString()).toBe(long)
    expect(Buffer.from(volume?.files.get('network-config') ?? []).toString()).toBe('version: 1\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
