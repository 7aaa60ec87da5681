import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import { atATerminal } from '../support/at-a-terminal.js'
import { anInventoryFolder, aTopology, clusterYaml } from '../support/lab.js'

let folder: string
let outside: string
let home: string
let lab: RunningLab
const env = () => ({ HOME: home, ICHOR_LAB_DIR: join(home, 'running') })
const written = ['approved.json', 'support-dev.tar.gz', 'picture.svg', '.gitignore']

/** A repository in which somebody committed a link to a file of the operator under every name that ichor writes. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ichor-home-'))
  outside = await mkdtemp(join(tmpdir(), 'ichor-outside-'))
  folder = await anInventoryFolder({ 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) })
  for (const name of written) {
    await writeFile(join(outside, name), 'of the operator')
    await symlink(join(outside, name), join(folder, name))
  }
  await symlink(outside, join(folder, '.ichor'))
  lab = await runLab({ topology: aTopology(), speed: 500 }, env())
})
afterAll(async () => {
  await lab.close()
  for (const one of [folder, home, outside]) await rm(one, { recursive: true })
})

test('what ichor writes beside the inventory replaces committed links, and no file that they lead to', async () => {
  const before = await readdir(outside)
  for (const words of [
    'up --yes --lab',
    'plan --lab --out approved.json',
    'support --lab',
    'capacity --svg picture.svg',
  ]) {
    const { code, text } = await atATerminal([...words.split(' '), '-i', folder], { folder, env: env() })
    expect(code, text).toBe(0)
  }
  for (const name of written) {
    expect(await readFile(join(outside, name), 'utf8'), name).toBe('of the operator')
    expect((await lstat(join(folder, name))).isFile(), name).toBe(true)
  }
  expect(await readdir(outside)).toEqual(before)
})
