import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

let program: Program
beforeAll(async () => {
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) }
  program = await aProgram(files, { speed: 1000, topology: aTopology({ hosts: 1 }) })
})
afterAll(() => program.close())

test('a restore builds only what is in the lock file; its dry run shows the deviation', async () => {
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  expect(await program.ichor(['lock'])).toMatchObject({ code: 0 })
  expect(await program.ichor(['backup'])).toMatchObject({ code: 0 })
  const list = await program.ichor(['backup', 'list', '--json'])
  const [, snapshot = ''] = /"name":"([^"]+)"/.exec(list.stdout) ?? []
  const path = join(program.folder, 'ichor.lab.lock.yaml')
  const locked = await readFile(path, 'utf8')
  await writeFile(path, locked.replace(/^ {2}\S+qcow2: sha256:\w+\n/m, ''))
  const restore = ['restore', snapshot, '--over-healthy', '--yes']
  const shown = await program.ichor([...restore, '--dry-run'])
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('is not in the lock file')])
  const refused = await program.ichor(restore)
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('is not in the lock file')])
  await writeFile(path, locked)
  expect(await program.ichor(restore)).toMatchObject({ code: 0 })
})
