import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Combination } from './combination.js'
import { affecting, judgeAdvisories } from './judge-advisories.js'
import { parseAdvisories } from './parse-advisories.js'
import { readAdvisories } from './read-advisories.js'
import { shippedAdvisories } from './shipped-advisories.js'

const now = Date.parse('2026-11-19T00:00:00Z')
const nothing: Combination = { talos: [], kubernetes: [], proxmox: ['9.2.3'], addons: {}, settings: {} }
const of = (
  talos: string | readonly string[],
  addons: Readonly<Record<string, string>> = {},
  settings: object = {},
) => ({
  ...nothing,
  talos: [talos].flat(),
  addons,
  settings,
})
const patched = (bios: string) => ({
  vm: { bios },
  talos: { patches: { cluster: ['install: { extraKernelArgs: [a] }'] } },
})

const forwarding = {
  talos: { patches: { cluster: ['machine: { features: { hostDNS: { forwardKubeDNSToHost: true } } }'] } },
}

test('each has an id of its own, the name of its file', () => {
  const ids = shippedAdvisories().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThan(7)
})

test.each<{ id: string; running: Combination; wanted: Combination; unaffected: readonly [Combination, Combination] }>([
  {
    id: 'talos-1.13.8-longhorn',
    running: of('v1.13.7', { longhorn: '1.12.0' }),
    wanted: of('v1.13.9', { longhorn: '1.12.1' }),
    unaffected: [nothing, of('v1.13.9', { longhorn: '1.12.1' })],
  },
  {
    id: 'talos-1.12.2-cilium',
    running: of('v1.12.1', { cilium: '1.18.6' }),
    wanted: of('v1.12.2', { cilium: '1.18.6' }),
    unaffected: [of('v1.12.1', { cilium: '1.18.6' }), of('v1.12.5', { cilium: '1.18.6' })],
  },
  {
    id: 'etcd-zombie-members',
    running: of(['v1.10.8', 'v1.10.9']),
    wanted: of('v1.11.0'),
    unaffected: [of('v1.10.9'), of('v1.11.0')],
  },
  {
    id: 'longhorn-minor',
    running: of('v1.13.9', { longhorn: '1.10.2' }),
    wanted: of('v1.13.9', { longhorn: '1.12.1' }),
    unaffected: [of('v1.13.9', { longhorn: '1.11.3' }), of('v1.13.9', { longhorn: '1.12.1' })],
  },
  {
    id: 'cilium-1.20.1-talos-1.13.9',
    running: nothing,
    wanted: of('v1.13.9', { cilium: '1.20.1' }),
    unaffected: [nothing, of('v1.13.9', { cilium: '1.19.6' })],
  },
  {
    id: 'kernel-args-grub',
    running: of('v1.12.7', {}, patched('seabios')),
    wanted: of('v1.13.9', {}, patched('seabios')),
    unaffected: [of('v1.12.7'), of('v1.13.9', {}, { vm: { bios: 'seabios' } })],
  },
  {
    id: 'kernel-args-uefi',
    running: nothing,
    wanted: of('v1.13.9', {}, patched('ovmf')),
    unaffected: [nothing, of('v1.13.9', {}, { vm: { bios: 'ovmf' } })],
  },
  {
    id: 'proxmox-9-ccm',
    running: nothing,
    wanted: of('v1.13.9', { proxmox_ccm: '0.2.21' }),
    unaffected: [nothing, of('v1.13.9', { proxmox_ccm: '0.2.19' })],
  },
  {
    id: 'proxmox-9-ccm',
    running: { ...nothing, proxmox: ['8.4.1'], addons: { proxmox_ccm: '0.2.20' } },
    wanted: of('v1.13.9', { proxmox_ccm: '0.2.20' }),
    unaffected: [nothing, { ...of('v1.13.9', { proxmox_ccm: '0.2.20' }), proxmox: ['8.4.1'] }],
  },
  {
    id: 'cilium-host-dns',
    running: of('v1.13.9', { cilium: '1.16.4' }, forwarding),
    wanted: of('v1.13.9', { cilium: '1.16.5' }, forwarding),
    unaffected: [nothing, of('v1.13.9', { cilium: '1.16.5' })],
  },
  {
    id: 'talos-1.14-etcd-metrics',
    running: of('v1.13.9'),
    wanted: of('v1.14.0'),
    unaffected: [of('v1.14.0'), of('v1.14.1')],
  },
])('$id is entered by the change that it names, and by no other', ({ id, running, wanted, unaffected: [from, to] }) => {
  const entered = (one: Combination, other: Combination) =>
    judgeAdvisories(shippedAdvisories(), { running: one, wanted: other, now }).entered.map((advisory) => advisory.id)
  expect(entered(running, wanted)).toContain(id)
  expect(entered(from, to)).not.toContain(id)
})

test('every advisory has its case above', () => {
  expect(shippedAdvisories().map(({ id }) => id)).toEqual([
    'cilium-1.20.1-talos-1.13.9',
    'cilium-host-dns',
    'etcd-zombie-members',
    'kernel-args-grub',
    'kernel-args-uefi',
    'longhorn-minor',
    'proxmox-9-ccm',
    'talos-1.12.2-cilium',
    'talos-1.13.8-longhorn',
    'talos-1.14-etcd-metrics',
  ])
})

test('what runs is affected until the change leaves it, and not after its end', () => {
  const bad = of('v1.12.3', { cilium: '1.18.6' })
  const good = of('v1.12.6', { cilium: '1.18.6' })
  expect(affecting(shippedAdvisories(), bad, now).map(({ id }) => id)).toEqual(['talos-1.12.2-cilium'])
  const judged = judgeAdvisories(shippedAdvisories(), { running: bad, wanted: good, now })
  expect(judged).toMatchObject({ entered: [], left: [{ id: 'talos-1.12.2-cilium' }] })
  const ended = shippedAdvisories().map((advisory) => ({ ...advisory, until: '2026-11-01' }))
  expect(affecting(ended, bad, now)).toEqual([])
})

const folder = mkdtempSync(join(tmpdir(), 'advisories-'))
afterAll(() => rmSync(folder, { recursive: true }))

const own = (id: string) => `
id: ${id}
title: It breaks
source: [https://wiki.example.com/it]
since: 2026-01-01
until: null
affects: { talos: '>=1.13' }
effect: block
way_out: Stay.
`

async function inventoryWith(advisories: { file: string; key?: string }): Promise<Inventory> {
  const inventory = await anInventory()
  return { ...inventory, folder, settings: { ...inventory.settings, advisories } }
}

test('a file of the site adds its own, and replaces none that came with ichor', async () => {
  writeFileSync(join(folder, 'own.yaml'), own('ours'))
  const all = await readAdvisories(await inventoryWith({ file: 'own.yaml' }))
  expect(all).toHaveLength(shippedAdvisories().length + 1)
  writeFileSync(join(folder, 'taken.yaml'), own('longhorn-minor'))
  await expect(readAdvisories(await inventoryWith({ file: 'taken.yaml' }))).rejects.toThrow('cannot replace it')
})

test('a signed file replaces one; another key, another text and a missing signature are refused', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? ''
  const text = own('longhorn-minor')
  writeFileSync(join(folder, 'signed.yaml'), text)
  await expect(readAdvisories(await inventoryWith({ file: 'signed.yaml', key }))).rejects.toThrow('cannot be read')
  writeFileSync(join(folder, 'signed.yaml.sig'), `${sign(null, Buffer.from(text), privateKey).toString('base64')}\n`)
  const all = await readAdvisories(await inventoryWith({ file: 'signed.yaml', key }))
  expect(all.find(({ id }) => id === 'longhorn-minor')?.title).toBe('It breaks')
  expect(all).toHaveLength(shippedAdvisories().length)
  const foreign = { file: 'signed.yaml', key: Buffer.from(other, 'base64url').toString('base64') }
  await expect(readAdvisories(await inventoryWith(foreign))).rejects.toThrow('does not match')
  writeFileSync(join(folder, 'signed.yaml'), text.replace('Stay', 'Go'))
  await expect(readAdvisories(await inventoryWith({ file: 'signed.yaml', key }))).rejects.toThrow('does not match')
})

test.each([
  ['a code of a finding', own('ICH0501')],
  ['an invalid range', own('x').replace('>=1.13', 'newer')],
  ['an unknown key', `${own('x')}because: of\n`],
  ['no YAML', '{'],
])('%s is refused with its place', (_, text) => {
  expect(() => parseAdvisories(text, 'own.yaml')).toThrow('The advisories cannot be used')
})
