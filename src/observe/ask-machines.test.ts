import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aMark, aSealer, described, hardwareOf } from '../../tests/support/marks.js'
import { aProxmoxError } from '../../tests/support/proxmox-errors.js'
import { aStub } from '../../tests/support/stub.js'
import { aForeignVm } from '../../tests/support/worlds.js'
import { type Mark, writeMark } from '../ownership/mark.js'
import { createSealer } from '../ownership/seal.js'
import type { GuestResource } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { askMachines } from './ask-machines.js'
import { questionOf } from './observe-scope.js'

const inventory = await anInventory({ controlPlanes: 1, workers: 1 })
const question = questionOf(inventory)
const { pool } = question
const signal = AbortSignal.timeout(5000)

type Options = Readonly<Record<string, string>>
type Seen = { readonly guest: GuestResource; readonly options?: Options | 'host down' | 'nowhere' }

const hardware = hardwareOf('dev-cp-1')
const markOf = (vmid: number, change: Partial<Mark> = {}) => ({
  description: described(aMark('dev-cp-1', vmid, change)),
})
const forged = writeMark('', aMark('dev-cp-1', 2000), createSealer({ id: 'c1', secret: 'another' }))
const strange = { smbios1: 'uuid=00000000-0000-4000-8000-000000000000', net0: 'virtio=BC:24:11:00:00:01' }
const pooled = (vmid: number) => ({ ...aForeignVm(vmid, 'pve1'), pool })

/** How these VMs are classified, with that cluster ID or, when destroying, without one. */
async function ask(
  vms: readonly Seen[],
  {
    id,
    isLeaving = false,
    sealed = true,
    intent = [],
  }: { id?: string; isLeaving?: boolean; sealed?: boolean; intent?: readonly number[] } = { id: 'c1' },
) {
  const guests = vms.map(({ guest }) => guest)
  const world = aStub<World>({
    proxmox: {
      cluster: { resources: async () => ({ guests, hosts: [], storages: [] }) },
      machines: {
        findOptions: async ({ vmid }) => {
          const options = vms.find(({ guest }) => guest.vmid === vmid)?.options ?? {}
          if (options === 'host down') throw aProxmoxError('host-down')
          return options === 'nowhere' ? undefined : { options, pending: [], running: {} }
        },
        findStatus: async () => ({ status: 'running' as const }),
      },
    },
  })
  const proxmox = { guests, intent, hosts: [{ name: 'pve1', online: true, maintenance: false }] }
  const cluster = { id, isLeaving, sealed, sealer: id === undefined ? undefined : aSealer }
  const { owned, templates, unverified, unreadHosts } = await askMachines(question, proxmox, cluster, world, signal)
  return {
    owned: owned.map(({ name, vmid }) => `${name} ${vmid}`),
    templates: templates.map(({ vmid }) => vmid),
    unverified: unverified.map(({ vmid, because, holds }) => [vmid, because, holds]),
    unreadHosts: unreadHosts.map(({ host }) => host),
    statuses: owned.map(({ status }) => status),
    areSealed: [...owned, ...templates].every(({ isSealed }) => isSealed),
  }
}

test.each<{ what: string; seen: Seen; expected: object }>([
  {
    what: 'a machine of ours',
    seen: { guest: pooled(2000), options: { ...hardware, ...markOf(2000) } },
    expected: { owned: ['dev-cp-1 2000'], unverified: [] },
  },
  {
    what: 'a template of ours',
    seen: { guest: pooled(998), options: { ...hardware, ...markOf(998, { more: { kind: 'template' } }) } },
    expected: { owned: [], templates: [998], unverified: [] },
  },
  {
    what: 'a copy, which has the identity of our machine',
    seen: { guest: pooled(7000), options: { ...hardware, ...markOf(2000) } },
    expected: { owned: [], unverified: [[7000, 'copy', 'dev-cp-1']] },
  },
  {
    what: 'a machine of another cluster',
    seen: { guest: pooled(2000), options: { ...markOf(2000, { cluster: 'c2' }) } },
    expected: { owned: [], unverified: [[2000, 'other-cluster', undefined]] },
  },
  {
    what: 'a machine without its mark',
    seen: { guest: aForeignVm(2000, 'pve1'), options: hardware },
    expected: { owned: [], unverified: [[2000, 'mark-lost', 'dev-cp-1']] },
  },
  {
    what: 'left behind by an interrupted create',
    seen: { guest: aForeignVm(2000, 'pve1'), options: { lock: 'create' } },
    expected: { owned: [], unverified: [[2000, 'stub', undefined]] },
  },
  {
    what: "somebody else's VM under a wanted VMID",
    seen: { guest: aForeignVm(2000, 'pve1'), options: { memory: '1024' } },
    expected: { owned: [], unverified: [[2000, 'foreign', undefined]] },
  },
  {
    what: 'a VM that nothing points to',
    seen: { guest: aForeignVm(55, 'pve1'), options: hardware },
    expected: { owned: [], unverified: [] },
  },
  {
    what: 'a machine whose host falls silent while it is read',
    seen: { guest: { ...pooled(2000), name: 'dev-cp-1' }, options: 'host down' },
    expected: { owned: [], unverified: [[2000, 'away', 'dev-cp-1']], unreadHosts: ['pve1'] },
  },
  {
    what: 'a machine that is listed and found nowhere, as while it migrates,',
    seen: { guest: { ...pooled(2000), name: 'dev-cp-1' }, options: 'nowhere' },
    expected: { owned: [], unverified: [[2000, 'away', 'dev-cp-1']] },
  },
  {
    what: 'a forged mark on a VM that has the identity of our machine',
    seen: { guest: pooled(2000), options: { ...hardware, description: forged } },
    expected: { owned: [], unverified: [[2000, 'mark-lost', 'dev-cp-1']] },
  },
  {
    what: "a forged mark on somebody's own VM",
    seen: { guest: pooled(2000), options: { ...strange, description: forged } },
    expected: { owned: [], unverified: [[2000, 'foreign', undefined]] },
  },
])('$what is reported from the others', async ({ seen, expected }) => {
  expect(await ask([seen])).toMatchObject(expected)
})

test('a made machine that the statistics call stopped is asked itself', async () => {
  const guest = { ...pooled(2000), status: 'stopped' as const }
  expect((await ask([{ guest, options: { ...hardware, ...markOf(2000) } }])).statuses).toEqual(['running'])
})

test('without secrets nothing is ours; destroy takes the ID from the marks in the pool, if they agree', async () => {
  const ours = { guest: pooled(2000), options: { ...hardware, ...markOf(2000) } }
  const other = { guest: pooled(2001), options: markOf(2001, { cluster: 'c2', node: 'x' }) }
  const outside = { guest: { ...aForeignVm(2000, 'pve1'), tags: [question.tag] }, options: ours.options }
  expect(await ask([ours], {})).toMatchObject({ owned: [], unverified: [[2000, 'no-secrets', 'dev-cp-1']] })
  expect(await ask([ours], { isLeaving: true })).toMatchObject({ owned: ['dev-cp-1 2000'] })
  expect(await ask([ours, other], { isLeaving: true })).toMatchObject({ owned: [] })
  expect(await ask([outside], { isLeaving: true })).toMatchObject({ owned: [] })
})

test('a mark from before there were seals is believed until every mark was sealed once', async () => {
  const description = markOf(2000).description.replace(/\nseal: .*/, '')
  const old = { guest: pooled(2000), options: { ...hardware, description } }
  expect(await ask([old], { id: 'c1', sealed: false })).toMatchObject({ owned: ['dev-cp-1 2000'], areSealed: false })
  expect(await ask([old])).toMatchObject({ owned: [], unverified: [[2000, 'mark-lost', 'dev-cp-1']] })
})

test('a clone that waits for its identity is ours under a VMID that a run was about to claim, and under no other', async () => {
  const more = { identity: 'pending' }
  const clone = { guest: pooled(2000), options: { ...strange, ...markOf(2000, { stage: 'making', more }) } }
  expect(await ask([clone], { id: 'c1', intent: [2000] })).toMatchObject({ owned: ['dev-cp-1 2000'] })
  expect(await ask([clone], { id: 'c1', intent: [2001] })).toMatchObject({ owned: [] })
})
