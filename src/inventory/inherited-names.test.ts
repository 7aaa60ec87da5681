import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UserFacingError } from '../errors.js'
import { loadInventory } from './index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-names-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const places = [
  (name: string) => `${name}: 1`,
  (name: string) => `${name}: { a: { b: 1 } }`,
  (name: string) => `proxmox: { ${name}: 1 }`,
  (name: string) => `proxmox: { ${name}: { ${name}: 1 } }`,
  (name: string) => `sizing: { ${name}: { cpu: 4 } }`,
  (name: string) => `addons: { ${name}: true }`,
  (name: string) => `addons: { cilium: { ${name}: 1 } }`,
  (name: string) => `workers: [{ name: w, ${name}: 1 }]`,
  (name: string) => `pve_capacity: { pve1: { ${name}: 1 } }`,
  (name: string) => `roll: { check: { ${name}: 1 } }`,
]
const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

test.each(names.flatMap((name) => places.map((at) => [at(name), name] as const)))(
  '%s is an unknown key like any other',
  async (line, name) => {
    const text = `cluster_name: dev\nnetwork: { cidr: 10.0.0.0/24, gateway: 10.0.0.1 }\n${line}\n`
    await writeFile(join(folder, 'cluster.yaml'), text)
    const thrown = await loadInventory(folder, { env: {} }).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(UserFacingError)
    expect(JSON.stringify(thrown)).toContain(name)
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  },
)
