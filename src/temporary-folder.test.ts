import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writerTag } from './left-behind.js'
import { makeTemporaryFolder, removeLeftFolders } from './temporary-folder.js'

let child: ChildProcess
let left: string
/** A folder with a kubeconfig, of a process that runs. */
beforeEach(async () => {
  child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  left = await mkdtemp(join(tmpdir(), `ichor-helm-${writerTag().split('-')[0]}-${child.pid}-`))
  await writeFile(join(left, 'kubeconfig'), 'key')
})
afterEach(async () => {
  await killed()
  await rm(left, { recursive: true, force: true })
})

async function killed(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

test('what a killed run left is removed by the next one, and not before', async () => {
  await removeLeftFolders()
  expect(existsSync(left)).toBe(true)
  await killed()
  await removeLeftFolders()
  expect(existsSync(left)).toBe(false)
})

test('a folder of this process stays until it is released', async () => {
  const folder = await makeTemporaryFolder('helm')
  await removeLeftFolders()
  expect(existsSync(folder.path)).toBe(true)
  await folder.remove()
})

test('a link by such a name is not followed', async () => {
  const tag = `${writerTag().split('-')[0]}-${child.pid}`
  const link = join(tmpdir(), `ichor-helm-${tag}-abcdef`)
  await killed()
  const target = await mkdtemp(join(tmpdir(), 'of-somebody-else-'))
  await symlink(target, link)
  try {
    await removeLeftFolders()
    expect(existsSync(target)).toBe(true)
  } finally {
    await rm(link, { force: true })
    await rm(target, { recursive: true })
  }
})
