import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aDesk, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeEach(() => {
  desk = aDesk()
})
afterEach(() => desk.clear())

test('an empty folder leads to init, and its template is valid', async () => {
  const { stderr, code } = await desk.ichor(['plan'])
  expect(stderr).toContain('Run ichor init to write one')
  expect(code).toBe(2)
  expect((await desk.ichor(['init', '--template', '--name', 'prod'])).code).toBe(0)
  expect(readFileSync(join(desk.folder, 'cluster.yaml'), 'utf8')).toContain('cluster_name: prod\n')
  expect(JSON.parse(readFileSync(join(desk.folder, 'cluster.schema.json'), 'utf8')).title).toBe('ichor inventory')
  expect((await desk.ichor(['validate'])).code).toBe(0)
  const again = await desk.ichor(['init', '--template'])
  expect(again.stderr).toContain('The file exists already')
  expect(again.code).toBe(2)
})

test('with flags it writes what a Proxmox has', async () => {
  const made = await desk.ichor(['init', '--lab', '--yes', '--name', 'dev', '--workers', '1'])
  expect(made.stderr).toMatch(/^HOST +THREADS +MEMORY$/m)
  const text = readFileSync(join(desk.folder, 'cluster.yaml'), 'utf8')
  expect(text).toMatch(/target_nodes: \[pve1/)
  expect(text).toContain('worker_count: 1\n')
  expect((await desk.ichor(['validate'])).code).toBe(0)
})

test('flags that name what is not there, or an address in use, are refused and never replaced', async () => {
  const inventory = desk.write('site/cluster.yaml', smallInventory)
  expect((await desk.ichor(['lab', 'start', '-i', inventory, '--speed', '300', '--detach'])).code).toBe(0)
  try {
    for (const [flag, value, problem] of [
      ['--bridge', 'vmbr7', 'There is no vmbr7 on this Proxmox.'],
      ['--datastore', 'nowhere', 'There is no nowhere on this Proxmox.'],
      ['--vip', '10.0.10.254', '10.0.10.254 is in use'],
    ] as const) {
      const { code, stderr } = await desk.ichor(['init', '--lab', '--yes', flag, value])
      expect(stderr).toContain(problem)
      expect(code).toBe(2)
    }
    expect(existsSync(join(desk.folder, 'cluster.yaml'))).toBe(false)
  } finally {
    await desk.ichor(['lab', 'stop'])
  }
})
