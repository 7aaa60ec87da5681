import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { notesOf } from '../../../tests/support/plan-notes.js'
import { aWorld, planOf, specFor } from '../../../tests/support/worlds.js'
import type { GuestResource } from '../../proxmox/client/port.js'

const hosts = ['pve1']
const theirs: GuestResource = {
  host: 'pve1',
  vmid: 500,
  kind: 'qemu',
  name: 'shop',
  status: 'running',
  template: false,
  cpus: 1,
  memory: 1024 ** 3,
  tags: [],
} as unknown as GuestResource

interface Site {
  readonly guests?: readonly GuestResource[]
  readonly content?: readonly string[]
  readonly talos?: Readonly<Record<string, unknown>>
}

async function seedNotesIn({ guests = [theirs], content = ['iso', 'import', 'backup'], talos = {} }: Site) {
  const inventory = await anInventory({ controlPlanes: 1, workers: 1, hosts, with: { talos } })
  const world = aWorld(hosts, guests)
  const storages = world.proxmox.storages.map((one) => (one.storage === 'local' ? { ...one, content } : one))
  const notes = notesOf(planOf(specFor(inventory), { ...world, proxmox: { ...world.proxmox, storages } }))
  return notes.filter((note) => note.includes('proxmox.seed_datastore'))
}

test('the plan names the storage that new configs pass through and others use, and the two ways out', async () => {
  expect(await seedNotesIn({})).toEqual([
    'The configs of dev-cp-1 and dev-wk-1 hold keys of the cluster and are uploaded to local, which is also for backups of other VMs: who can read that storage can read them until their import. Set proxmox.seed_datastore to a storage of its own, or talos.delivery: apply.',
  ])
})

test('without import an ISO stays there until the machine responds', async () => {
  const [note] = await seedNotesIn({ content: ['iso', 'images'], talos: { boot: 'iso' } })
  expect(note).toContain('which is also for disks of other VMs')
  expect(note).toContain('until the machines respond')
})

test.each<[string, Site]>([
  ['there are no other VMs', { guests: [] }],
  ['the storage is for images and configs only', { content: ['iso', 'import'] }],
  ['the configs are sent to the machines', { talos: { delivery: 'apply' } }],
])('not if %s', async (_, site) => {
  expect(await seedNotesIn(site)).toEqual([])
})
