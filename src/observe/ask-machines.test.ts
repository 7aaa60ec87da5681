import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aMark, hardwareOf } from '../../tests/support/marks.js'
import { aForeignVm } from '../../tests/support/worlds.js'
import { type Mark, writeMark } from '../ownership/mark.js'
import type { GuestResource } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { askMachines } from './ask-machines.js'
import { questionOf } from './question.js'

const inventory = await anInventory({ controlPlanes: 1, workers: 1 })
const question = questionOf(inventory)
const { pool } = question
const [controlPlane] = inventory.machines
const _identity = controlPlane?.identity ?? { uuid: '', mac: '' }
const signal = AbortSignal.timeout(5000)

type Options = Readonly<Record<string, string>>
type Seen = { readonly guest: GuestResource; readonly options?: Options | 'host down' }

const hardware = hardwareOf('dev-cp-1')
const markOf = (vmid: number, change: Partial<Mark> = {}) => ({
  description: writeMark('', aMark('dev-cp-1', vmid, change)),
})
const pooled = (vmid: number) => ({ ...aForeignVm(vmid, 'pve1'), pool })

/** What is made of these VMs, by whoever knows that id of the cluster, or leaves and knows none. */
async function ask(
  vms: readonly Seen[],
  { id, isLeaving = false }: { id?: string; isLeaving?: boolean } = { id: 'c1' },
) {
  const findOptions = async ({ vmid }: { vmid: number }) => {
    const options = vms.find(({ guest }) => guest.vmid === vmid)?.options ?? {}
    if (options === 'host down') throw Object.assign(new Error('595'), { kind: 'host-down' })
    return { options, pending: [], running: {} }
  }
  const findStatus = async () => ({ status: 'running' })
  const world = { proxmox: { machines: { findOptions, findStatus } } } as unknown as World
  const seen = { guests: vms.map(({ guest }) => guest), hosts: [{ name: 'pve1', online: true, maintenance: false }] }
  const { owned, templates, unverified } = await askMachines(question, seen, { id, isLeaving }, world, signal)
  return {
    owned: owned.map(({ name, vmid }) => `${name} ${vmid}`),
    templates: templates.map(({ vmid }) => vmid),
    unverified: unverified.map(({ vmid, because, holds }) => [vmid, because, holds]),
    statuses: owned.map(({ status }) => status),
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
    what: 'what a killed create left',
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
    expected: { owned: [], unverified: [[2000, 'away', 'dev-cp-1']] },
  },
])('$what is reported from the others', async ({ seen, expected }) => {
  expect(await ask([seen])).toMatchObject(expected)
})

test('a made machine that the statistics call stopped is asked itself', async () => {
  const guest = { ...pooled(2000), status: 'stopped' as const }
  expect((await ask([{ guest, options: { ...hardware, ...markOf(2000) } }])).statuses).toEqual(['running'])
})

test('without secrets nothing is ours; who destroys takes the id from the marks in the pool, if they agree', async () => {
  const ours = { guest: pooled(2000), options: { ...hardware, ...markOf(2000) } }
  const other = { guest: pooled(2001), options: markOf(2001, { cluster: 'c2', node: 'x' }) }
  const outside = { guest: { ...aForeignVm(2000, 'pve1'), tags: [question.tag] }, options: ours.options }
  expect(await ask([ours], {})).toMatchObject({ owned: [], unverified: [[2000, 'no-secrets', 'dev-cp-1']] })
  expect(await ask([ours], { isLeaving: true })).toMatchObject({ owned: ['dev-cp-1 2000'] })
  expect(await ask([ours, other], { isLeaving: true })).toMatchObject({ owned: [] })
  expect(await ask([outside], { isLeaving: true })).toMatchObject({ owned: [] })
})
