import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadInventory } from '../../inventory/index.js'
import { deepProblems } from './deep-problems.js'

const small = `cluster_name: dev
worker_count: 1
network:
  cidr: 10.0.10.0/24
proxmox:
  node: pve1
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-validate-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function problemsOf(text: string, findSecrets: Parameters<typeof deepProblems>[1] = async () => undefined) {
  await writeFile(join(folder, 'cluster.yaml'), text)
  const problems = await deepProblems(await loadInventory(folder, { env: {} }), findSecrets)
  return problems.map(({ file, line, message, fix }) => `${file}:${line} ${message} ${fix}`)
}

test('a typo in a patch is found before anything is built, with the nearest key', async () => {
  await mkdir(join(folder, 'patches'))
  await writeFile(join(folder, 'patches/a.yaml'), 'machine:\n  sysctl:\n    vm.swappiness: "1"\n')
  expect(await problemsOf(`${small}talos:\n  patches:\n    worker: [patches/a.yaml]\n`)).toEqual([
    'patches/a.yaml:2 The patch sets machine.sysctl, which this version of Talos does not know. Did you mean machine.sysctls?',
  ])
})

test('a kind that is mistyped is found, too', async () => {
  const patch = 'apiVersion: v1alpha1\n        kind: HostnameConfg\n        hostname: x'
  const [problem = ''] = await problemsOf(`${small}talos:\n  patches:\n    cluster:\n      - |\n        ${patch}\n`)
  expect(problem).toContain('Did you mean HostnameConfig?')
})

test('machines that do not fit into pve_capacity are reported', async () => {
  const [problem = ''] = await problemsOf(`${small}pve_capacity:\n  pve1: { cpu: 4, ram: 12G }\n`)
  expect(problem).toContain('dev-wk-1 asks for 4 vCPU and 8 GiB of memory, and pve1 has 0 vCPU free')
})

test('a patch that fits the style of the configs since the cluster was made is right', async () => {
  const old = `${small}talos:\n  patches:\n    cluster: [{ machine: { network: { hostname: x } } }]\n`
  expect(await problemsOf(old)).toHaveLength(1)
  const memory = { bootstrapped: true, values: {}, contract: 'v1.8' }
  expect(await problemsOf(old, async () => ({ memory }))).toEqual([])
  const locked = () => Promise.reject(new Error('no key'))
  expect(await problemsOf(old, locked)).toEqual([])
})

test('the examples are right', async () => {
  for (const name of ['hyperconverged', 'enterprise', 'production']) {
    const inventory = await loadInventory(join(import.meta.dirname, '../../../examples', name), { env: {} })
    expect(await deepProblems(inventory, async () => undefined)).toEqual([])
  }
})
