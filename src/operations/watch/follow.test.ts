import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterYaml } from '../../../tests/support/lab.js'
import { loadInventory } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { follow } from './follow.js'
import type { Environment } from './watch-environment.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-follow-'))
  writeFileSync(join(folder, 'cluster.yaml'), 'a')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Follows for that long, in a time of its own; `at` changes something on the way. */
async function passesIn(
  ms: number,
  {
    at = {},
    pass,
    inventory,
  }: { at?: Record<number, () => void>; pass?: (at: number) => Promise<void>; inventory?: Inventory } = {},
): Promise<number[]> {
  const starts: number[] = []
  const stop = new AbortController()
  let time = 0
  const file = join(folder, 'cluster.yaml')
  const environment: Environment = {
    file,
    measurement: () => ({ cluster: 'dev' }),
    inventory: () => inventory,
    pass: async () => {
      starts.push(time)
      await pass?.(time)
      return { cluster: 'dev', outcome: 'seen', events: [], notes: [] }
    },
  }
  await follow({
    find: async () => [file],
    open: () => environment,
    report: () => undefined,
    signal: stop.signal,
    clock: {
      monotonic: () => time,
      sleep: async (step) => {
        await new Promise((resolve) => setImmediate(resolve))
        time += step
        at[time]?.()
        if (time >= ms) stop.abort()
      },
    },
  })
  return starts
}

test('it looks at once, then on its period', async () => {
  expect(await passesIn(1_300_000)).toEqual([0, 600_000, 1_200_000])
})

test('a changed file is looked at when it has been still for a moment', async () => {
  const write = (text: string) => () => writeFileSync(join(folder, 'cluster.yaml'), text)
  const starts = await passesIn(200_000, { at: { 60000: write('half of'), 65000: write('the whole file') } })
  expect(starts).toEqual([0, 70_000])
})

test('a pass that fails does not end the watch', async () => {
  const starts = await passesIn(700_000, { pass: () => Promise.reject(new Error('a bug')) })
  expect(starts).toEqual([0, 600_000])
})

test('an inventory that is gone is still looked at', async () => {
  const starts = await passesIn(700_000, { at: { 50000: () => rmSync(join(folder, 'cluster.yaml')) } })
  expect(starts).toEqual([0, 55_000, 655_000])
})

test('a patch, a manifest and a CA that the inventory names count, wherever they are', async () => {
  mkdirSync(join(folder, 'patches'))
  const write = (path: string, text: string) => () => writeFileSync(join(folder, path), text)
  write('patches/worker.yaml', 'machine: {}\n')()
  write('patches/pve.pem', 'one')()
  const yaml = clusterYaml().replace('proxmox:', 'proxmox:\n  ca: patches/pve.pem')
  write('patches/app.yaml', 'kind: List\n')()
  const named = 'addons: { custom: [{ name: app, manifests: [patches/app.yaml] }] }\n'
  write('cluster.yaml', `${yaml}talos: { patches: { worker: [patches/worker.yaml] } }\n${named}`)()
  const inventory = await loadInventory(join(folder, 'cluster.yaml'), { env: {} })
  const at = {
    60000: write('patches/worker.yaml', 'machine: { sysctls: {} }\n'),
    120000: write('patches/pve.pem', 'another'),
    150000: write('patches/app.yaml', 'kind: Pod\n'),
  }
  expect(await passesIn(200_000, { at, inventory })).toEqual([0, 65_000, 125_000, 155_000])
})
