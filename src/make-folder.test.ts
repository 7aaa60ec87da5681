import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.js'
import { inTemporaryFolder } from './temporary-folder.js'

test('creates all parents, with the mode', async () => {
  await inTemporaryFolder('make-folder', async (root) => {
    await makeFolder(join(root, 'a/b/c'), 0o700)
    expect((await stat(join(root, 'a/b'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(root, 'a/b/c'))).mode & 0o777).toBe(0o700)
  })
})

test('accepts a folder that exists, and two calls at once', async () => {
  await inTemporaryFolder('make-folder', async (root) => {
    await mkdir(join(root, 'a'))
    await Promise.all([makeFolder(join(root, 'a')), makeFolder(join(root, 'a/b/c')), makeFolder(join(root, 'a/b/c'))])
    expect((await stat(join(root, 'a/b/c'))).isDirectory()).toBe(true)
  })
})

test('fails if a file is in the way', async () => {
  await inTemporaryFolder('make-folder', async (root) => {
    await writeFile(join(root, 'file'), '')
    await expect(makeFolder(join(root, 'file'))).rejects.toThrow(/EEXIST/)
    await expect(makeFolder(join(root, 'file/below'))).rejects.toThrow(/ENOTDIR/)
  })
})

test.runIf(process.platform === 'linux')('fails on a file system that has no new folders', async () => {
  await expect(makeFolder('/proc/nothing/here/at/all')).rejects.toThrow(/ENOENT/)
})

test('several calls at once create folders with the same new parents', async () => {
  await inTemporaryFolder('make-folder', async (root) => {
    const paths = ['talos/generated', 'talos', 'ansible/dev', 'talos/generated', 'terraform/dev', 'talos/seeds']
    for (let round = 0; round < 20; round++) {
      const made = Promise.all(paths.map((path) => makeFolder(join(root, String(round), path))))
      await expect(made).resolves.toBeDefined()
    }
  })
})
