import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(() => {
  desk = aDesk()
  desk.write('cluster.yaml', smallInventory)
})
afterAll(() => desk.clear())

test('DHCP reservations are there before the first up, without secrets and without Proxmox', async () => {
  const { stdout, code } = await desk.ichor(['render', '--dhcp', 'dnsmasq'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^dhcp-host=([0-9A-F]{2}:){5}[0-9A-F]{2},10\.0\.10\.10,dev-cp-1$/m)
  expect(stdout).toMatch(/^dhcp-host=([0-9A-F]{2}:){5}[0-9A-F]{2},10\.0\.10\.20,dev-wk-1$/m)
  expect(existsSync(join(desk.folder, 'secrets.sops.yaml'))).toBe(false)
})

test('a diagram goes to stdout, or into a folder', async () => {
  const { stdout } = await desk.ichor(['render', '--diagram', 'mermaid'])
  expect(stdout).toMatch(/^flowchart TB\n/)
  const written = await desk.ichor(['render', '--diagram', 'svg', '--dhcp', 'dnsmasq', '--out', 'pictures', '--json'])
  expect(JSON.parse(written.stdout)).toEqual({ version: 1, files: ['pictures/dnsmasq.conf', 'pictures/diagram.svg'] })
  expect(readFileSync(join(desk.folder, 'pictures/diagram.svg'), 'utf8')).toContain('dev-cp-1')
})

test('two files at once need a folder', async () => {
  const { stderr, code } = await desk.ichor(['render', '--diagram', 'svg', '--dhcp', 'dnsmasq'])
  expect(code).toBe(2)
  expect(stderr).toContain('Set a folder with --out')
})
