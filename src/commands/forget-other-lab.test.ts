import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ClusterMemory, SecretsFile } from '../secrets/bundle.js'
import { forgetOtherLab, withoutOtherLab } from './forget-other-lab.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'other-lab-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('an etcd is forgotten with the lab that held it, and only then', async () => {
  let memory: Partial<ClusterMemory> = { bootstrapped: false }
  const notices: string[] = []
  const opened = {
    inventory: { folder },
    world: {
      secrets: {
        find: async () => ({ memory }) as SecretsFile,
        remember: async (change: Partial<ClusterMemory>) => {
          memory = { ...memory, ...change }
        },
      },
    },
  }
  const upIn = (fingerprint: string) => forgetOtherLab({ fingerprint }, opened, (text) => notices.push(text))

  await upIn('A')
  memory = { bootstrapped: true }
  await upIn('A')
  expect(memory.bootstrapped).toBe(true)
  expect(notices).toEqual([])

  const bootstrappedIn = async (fingerprint: string) =>
    (await (await withoutOtherLab({ fingerprint }, opened)).secrets.find())?.memory.bootstrapped
  expect([await bootstrappedIn('A'), await bootstrappedIn('B'), memory.bootstrapped]).toEqual([true, false, true])

  await upIn('B')
  expect(memory.bootstrapped).toBe(false)
  expect(notices).toHaveLength(1)
})

test('a folder that keeps nothing is no reason to stop', async () => {
  await writeFile(join(folder, '.ichor'), 'a file in the way')
  const secrets = { find: async () => undefined, remember: async () => {} }
  await forgetOtherLab({ fingerprint: 'A' }, { inventory: { folder }, world: { secrets } }, () => {})
})
