import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { explainSystemError } from './commands/frame/system-error.js'
import { removeDurably, removeLeftoversBeside, writeDurably } from './durable-file.js'
import { writerTag } from './left-behind.js'

let folder: string
const path = () => join(folder, 'file')
const link = () => join(folder, 'link')
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-durable-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a file is for its owner alone, whatever stood there before', async () => {
  await writeFile(path(), 'old')
  await chmod(path(), 0o644)
  await writeDurably(path(), 'new')
  expect(await readFile(path(), 'utf8')).toBe('new')
  expect((await stat(path())).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['file'])
})

test('what must be new does not take the place of anything', async () => {
  await writeDurably(path(), 'first', { mustBeNew: true })
  await expect(writeDurably(path(), 'second', { mustBeNew: true })).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await readFile(path(), 'utf8')).toBe('first')
  expect(await readdir(folder)).toEqual(['file'])
})

test('a link is replaced, and what it leads to stays as it is', async () => {
  await writeFile(path(), 'of somebody else')
  await symlink(path(), link())
  await writeDurably(link(), 'ours')
  expect([await readFile(path(), 'utf8'), await readFile(link(), 'utf8')]).toEqual(['of somebody else', 'ours'])
  expect((await readdir(folder)).sort()).toEqual(['file', 'link'])
})

test('a link that is followed stays, and the real file is written and removed', async () => {
  await writeFile(path(), 'old')
  await symlink('file', link())
  await writeDurably(link(), 'new', { followsLink: true })
  expect(await readFile(path(), 'utf8')).toBe('new')
  expect((await readdir(folder, { withFileTypes: true })).filter((one) => one.isSymbolicLink())).toHaveLength(1)
  await removeDurably(link(), { followsLink: true })
  expect(await readdir(folder)).toEqual([])
})

test.each(['/dev/null', '/dev/stdout'])('%s is not replaced by a file', async (device) => {
  await expect(writeDurably(device, 'text')).rejects.toThrow('not a file')
  await symlink(device, link())
  await expect(writeDurably(link(), 'text', { followsLink: true })).rejects.toThrow('not a file')
})

test.each(['writeFile', 'sync'] as const)(
  'a disk that is full at its %s is an ordinary error, and leaves no file',
  async (at) => {
    // The system does not name the file: see `echo > /dev/full`.
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      errno: -28,
      code: 'ENOSPC',
      syscall: 'write',
    })
    const any = await open(path(), 'w')
    const failing = vi.spyOn(Object.getPrototypeOf(any), at).mockRejectedValueOnce(full)
    try {
      const thrown = await writeDurably(path(), 'new').catch((error: unknown) => error)
      expect(explainSystemError(thrown)).toMatchObject({ code: 'file', where: path() })
      expect(await readdir(folder)).toEqual(['file'])
    } finally {
      failing.mockRestore()
      await any.close()
    }
  },
)

/** The name of a temporary file of a process of this computer that has ended. */
function aDeadWriter(): string {
  const { pid } = spawnSync(process.execPath, ['-e', '0'])
  return `${writerTag().split('-')[0]}-${pid}`
}

test('what a killed run left is removed at once, and what may still be written is not', async () => {
  const name = (writer: string) => `.secrets.sops.yaml.${writer}-aaaaaaaaaaaa.tmp`
  const [dead, running, away, longAway] = [aDeadWriter(), writerTag(), '00000000-1', '00000000-2'].map(name)
  for (const one of [dead, running, away, longAway]) await writeFile(join(folder, one ?? ''), 'half')
  await utimes(join(folder, longAway ?? ''), new Date(0), new Date(0))
  await removeLeftoversBeside(folder)
  expect((await readdir(folder)).sort()).toEqual([away, running].sort())
})

test('what killed writes left beside an inventory is removed, also behind its links and in its own folder', async () => {
  const left = `.file.${aDeadWriter()}-aaaaaaaaaaaa.tmp`
  const [environment, vault] = [join(folder, 'environment'), join(folder, 'vault')]
  for (const one of [environment, vault, join(environment, '.ichor/facts')]) {
    await mkdir(one, { recursive: true })
    await writeFile(join(one, left), 'half')
  }
  await writeFile(join(vault, 'secrets.yaml'), 'whole')
  await symlink('../vault/secrets.yaml', join(environment, 'secrets.yaml'))
  await symlink('../nowhere.yaml', join(environment, 'broken.yaml'))
  await removeLeftoversBeside(environment)
  const files = await readdir(folder, { recursive: true })
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([])
  expect(files).toContain('vault/secrets.yaml')
})

test('a write clears away first what a killed one left', async () => {
  await writeFile(join(folder, `.other.${aDeadWriter()}-aaaaaaaaaaaa.tmp`), 'half')
  await writeDurably(path(), 'whole')
  expect(await readdir(folder)).toEqual(['file'])
})

test('folders on the way are made, and removing twice is fine', async () => {
  const deep = join(folder, 'a/b/file')
  await writeDurably(deep, 'x')
  await removeDurably(deep)
  await removeDurably(deep)
  expect(await readdir(join(folder, 'a/b'))).toEqual([])
})
