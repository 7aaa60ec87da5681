import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepOutOfGit } from './keep-out-of-git.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-git-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const ignored = () => readFile(join(folder, '.gitignore'), 'utf8')

test('keys in the clear, client access and support archives stay out of git', async () => {
  expect(await keepOutOfGit(folder)).toHaveLength(1)
  const lines = (await ignored()).split('\n')
  expect(lines).toEqual(expect.arrayContaining(['secrets.yaml', 'support-*.tar.gz', 'kubeconfig', '.ichor/', '.*.tmp']))
  expect(await keepOutOfGit(folder)).toEqual([])
})

test('a file that is there keeps its lines and gets what is missing', async () => {
  await writeFile(join(folder, '.gitignore'), 'node_modules\nkubeconfig')
  await keepOutOfGit(folder)
  const text = await ignored()
  expect(text.startsWith('node_modules\nkubeconfig\n\n#')).toBe(true)
  expect(text.match(/^kubeconfig$/gm)).toHaveLength(1)
  expect(text).toContain('\nsecrets.yaml\n')
})
