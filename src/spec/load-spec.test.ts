import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadInventory } from '../inventory/index.js'
import { loadSpec } from './load-spec.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-spec-'))
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }
talos:
  registries:
    - { host: docker.io, mirrors: [https://mirror.example.com], ca: mirror.pem }
`,
  )
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const spec = async () =>
  loadSpec(await loadInventory(folder, { env: {} }), {
    env: {},
    world: { secrets: { find: async () => undefined } },
    isLab: false,
  })

test('the configs carry the CA of a registry mirror, not the path of its file', async () => {
  await writeFile(join(folder, 'mirror.pem'), 'the certificate')
  expect((await spec()).inventory.settings.talos.registries[0]?.ca).toBe('the certificate')
})

test('a CA that is not there is reported with its place in the inventory', async () => {
  await expect(spec()).rejects.toMatchObject({ where: expect.stringContaining('talos.registries[0].ca') })
})
