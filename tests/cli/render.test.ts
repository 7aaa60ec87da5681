import { execFileSync } from 'node:child_process'
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

test('git does not see the files with keys, and sees the others', async () => {
  const other = aDesk()
  try {
    other.write('cluster.yaml', smallInventory)
    execFileSync('git', ['init', '--quiet', other.folder])
    expect(await other.ichor(['secrets', 'init'])).toMatchObject({ code: 0 })
    expect(await other.ichor(['render', '--out', 'rendered'])).toMatchObject({ code: 0 })
    const seen = execFileSync('git', ['-C', other.folder, 'ls-files', '--others', '--exclude-standard', 'rendered'])
    const names = String(seen).trim().split('\n')
    expect(names.map((path) => path.replace(/^.*\//, '')).sort()).toEqual([
      '.gitignore',
      'diagram.md',
      'diagram.svg',
      'inventory.yaml',
      'talos-machines.auto.tfvars.json',
    ])
    expect(existsSync(join(other.folder, 'rendered/talosconfig'))).toBe(true)
  } finally {
    other.clear()
  }
})
