import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aForeignMachine } from '../support/foreign-cluster.js'
import { aForeignEnvironment, type ForeignEnvironment } from '../support/foreign-environment.js'

let foreign: ForeignEnvironment
afterEach(() => foreign.program.close())

const machines = [aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker')]
const added = aForeignMachine(3, 'worker')

test('an adopted cluster is backed up, upgraded, grows and shrinks like any other', async () => {
  foreign = await aForeignEnvironment(machines, [added])
  const { env, file, edit, program } = foreign
  const done = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await env(...words)
    expect(code, `${words.join(' ')}\n${stderr}\n${stdout}`).toBe(0)
    return stdout
  }
  expect(await foreign.adopt('--strict')).toMatchObject({ code: 0 })
  await done('up', '--yes')

  await done('backup')
  expect(await readdir(join(program.folder, 'env/backups.lab'), { recursive: true })).not.toEqual([])

  await done('upgrade', '--kubernetes', 'v1.36.4', '--yes')
  expect(await file('env/cluster.yaml')).toContain('kubernetes_version: v1.36.4')
  expect(await done('plan')).toContain('Nothing to do')

  const before = await file('env/cluster.yaml')
  const { name, address, mac } = added
  await edit('env/cluster.yaml', (text) => `${text.trimEnd()}\n  - { name: ${name}, ip: ${address}, mac: "${mac}" }\n`)
  await done('up', '--yes')
  expect(await done('plan')).toContain('Nothing to do')
  const { config } = await foreign.running(added)
  expect(config).toContain('type: worker')

  await edit('env/cluster.yaml', () => before)
  await done('up', '--yes')
  expect(await done('plan')).toContain('Nothing to do')
  expect(await Promise.all(machines.map(foreign.isMarked))).toEqual([true, true])
}, 600_000)
