import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSavedLab } from './saved-lab.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'saved-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  { what: 'a file that is not there', text: undefined, says: 'The saved lab cannot be read.' },
  { what: 'a file that is no JSON', text: 'cluster_name: dev\n', says: 'The saved lab cannot be read.' },
  { what: 'JSON of something else', text: '{"version": 1}', says: 'The file holds no saved lab.' },
  { what: 'JSON of nothing', text: 'null', says: 'The file holds no saved lab.' },
])('$what is no saved lab, and no bug of ichor', async ({ text, says }) => {
  const file = join(folder, 'lab.json')
  if (text !== undefined) await writeFile(file, text)
  await expect(readSavedLab(file)).rejects.toMatchObject({ message: says, code: 'file', where: file })
  await rm(file, { force: true })
})
