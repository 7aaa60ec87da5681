import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeDurably, writeDurably } from './durable-file.js'

let folder: string
const path = () => join(folder, 'file')
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

test('what a killed run left is cleared away, and what may still be written is not', async () => {
  const [old, young] = ['.file.aaaaaaaaaaaa.tmp', '.file.bbbbbbbbbbbb.tmp']
  await Promise.all([writeFile(join(folder, old), 'half'), writeFile(join(folder, young), 'half')])
  await utimes(join(folder, old), new Date(0), new Date(0))
  await writeDurably(path(), 'whole')
  expect((await readdir(folder)).sort()).toEqual([young, 'file'])
})

test('folders on the way are made, and removing twice is fine', async () => {
  const deep = join(folder, 'a/b/file')
  await writeDurably(deep, 'x')
  await removeDurably(deep)
  await removeDurably(deep)
  expect(await readdir(join(folder, 'a/b'))).toEqual([])
})
