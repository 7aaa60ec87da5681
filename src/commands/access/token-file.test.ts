import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuseOtherFile, writeTokenFile } from './token-file.js'

let folder: string
const file = () => join(folder, 'pve.token')
const secret = '3f0e5a5e-96d1-4f0b-a2ed-6c1f0c1a7b11'
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-token-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.each(['AGE-SECRET-KEY-1QQQQ', '-----BEGIN OPENSSH PRIVATE KEY-----', 'export PATH=/bin', 'hunter2'])(
  'an inventory that names a file with %s in it has ichor access overwrite nothing',
  async (text) => {
    await writeFile(file(), text)
    await expect(refuseOtherFile(file(), 'cluster.yaml:3:3')).rejects.toThrow('holds something else')
  },
)

test.each(['', `${secret}\n`, `ichor@pve!dev=${secret}\n`])(
  'a file with %j in it takes the new token',
  async (text) => {
    await writeFile(file(), text)
    await refuseOtherFile(file(), '')
    await writeTokenFile(file(), 'ichor@pve!dev=new')
    expect(await readFile(file(), 'utf8')).toBe('ichor@pve!dev=new\n')
  },
)

test('a missing file is made, and a link is followed', async () => {
  await refuseOtherFile(file(), '')
  await writeTokenFile(file(), 'one')
  await symlink('pve.token', join(folder, 'link'))
  await writeTokenFile(join(folder, 'link'), 'two')
  expect(await readFile(file(), 'utf8')).toBe('two\n')
})
