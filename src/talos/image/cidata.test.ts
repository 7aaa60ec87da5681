import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readIsoVolume } from '../../simulator/talos/media/iso9660.js'
import { cidataIso } from './cidata.js'

const seed = {
  userData: `machine:\n  type: worker # ${'ä'.repeat(150_000)}\n`,
  metaData: 'instance-id: dev-wk-1\nlocal-hostname: dev-wk-1\n',
  networkConfig: 'version: 1\nconfig: []\n',
}
const wanted = { 'user-data': seed.userData, 'meta-data': seed.metaData, 'network-config': seed.networkConfig }

test('the same seed gives the same bytes, in whole sectors', () => {
  expect(Buffer.from(cidataIso(seed)).equals(cidataIso(seed))).toBe(true)
  expect(cidataIso(seed).byteLength % 2048).toBe(0)
})

test('an empty file and a missing network-config are fine', () => {
  expect(cidataIso({ userData: '', metaData: '' }).byteLength).toBe(27 * 2048)
})

test('an independent reader finds the label and every file', () => {
  const volume = readIsoVolume(cidataIso(seed))
  expect(volume?.label).toBe('cidata')
  const files = [...(volume?.files ?? [])].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])
  expect(Object.fromEntries(files)).toEqual(wanted)
})

const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined

describe("read back with Debian's tools", () => {
  let folder: string
  let iso: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ichor-cidata-'))
    iso = join(folder, 'seed.iso')
    writeFileSync(iso, cidataIso(seed))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.skipIf(!has('isoinfo'))('isoinfo finds the label, Joliet and Rock Ridge (skipped without isoinfo)', () => {
    const about = execFileSync('isoinfo', ['-d', '-i', iso], { encoding: 'utf8' })
    expect(about).toContain('Volume id: cidata')
    expect(about).toContain('Joliet with UCS level 3 found')
    expect(about).toContain('Rock Ridge signatures version 1 found')
  })

  test.skipIf(!has('isoinfo')).each([
    ['Rock Ridge', '-R'],
    ['Joliet', '-J'],
  ])('isoinfo reads every file by its %s name (skipped without isoinfo)', (_, flag) => {
    for (const [name, text] of Object.entries(wanted)) {
      const read = execFileSync('isoinfo', [flag, '-x', `/${name}`, '-i', iso], { maxBuffer: 1e7 })
      expect(read.toString()).toBe(text)
    }
  })

  test.skipIf(!has('xorriso'))('xorriso extracts every file (skipped without xorriso)', () => {
    const out = join(folder, 'out')
    execFileSync('xorriso', ['-osirrox', 'on', '-indev', iso, '-extract', '/', out], { stdio: 'ignore' })
    for (const [name, text] of Object.entries(wanted)) expect(readFileSync(join(out, name), 'utf8')).toBe(text)
    execFileSync('chmod', ['-R', 'u+w', out])
  })

  test.skipIf(!has('blkid'))('blkid sees what Talos looks for (skipped without blkid)', () => {
    const about = execFileSync('blkid', ['-p', '-o', 'export', iso], { encoding: 'utf8' })
    expect(about).toContain('LABEL=cidata')
    expect(about).toContain('TYPE=iso9660')
  })
})
