import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../../tests/support/worlds.js'
import type { Observed } from '../observe/observed.js'
import { planDestroyRound } from '../rounds/plan-destroy.js'

const hosts = ['pve1', 'pve10']

async function spec(workers: number, disk: string, more: Readonly<Record<string, unknown>> = {}) {
  const size = { cpu: 2, ram: '4GiB', disk }
  const sizing = { control_plane: { ...size, disk: '20G' }, worker: size }
  const talos = { boot: 'template' }
  return specFor(await anInventory({ controlPlanes: 1, workers, hosts, with: { sizing, talos, ...more } }))
}

type Spec = Awaited<ReturnType<typeof spec>>

const made = (wanted: Spec, before: Observed) => carriedOut(planOf(wanted, before).steps, wanted(before), before)
const templateSteps = (wanted: Spec, seen: Observed) =>
  planOf(wanted, seen).steps.filter(
    ({ kind, title }) => kind === 'make-template' || /delete .*(worker|cp)-v1/.test(title),
  )

test('every host has a template of its own, though one name begins as the other', async () => {
  const seen = made(await spec(3, '40G'), aWorld(hosts))
  const { templates } = seen
  expect(new Set(templates.map(({ name }) => name)).size).toBe(templates.length)
  expect(templates.filter(({ mark }) => mark.role === 'worker').map(({ host }) => host)).toEqual(hosts)
  expect(planOf(await spec(3, '40G'), seen).steps).toEqual([])
})

test('a template whose disk does not fit any more is never used: another one is made beside it, and the old one goes', async () => {
  const before = made(await spec(1, '40G'), aWorld(['pve1']))
  const [old] = before.templates.filter(({ mark }) => mark.role === 'worker')
  const larger = await spec(2, '60G')
  const [first] = templateSteps(larger, before)
  expect(first?.reason).toBe(`${old?.name} no longer matches the inventory`)
  expect(first?.args.template).not.toBe(old?.name)
  const after = made(larger, before)
  const workers = after.templates.filter(({ mark }) => mark.role === 'worker')
  expect(workers).toHaveLength(1)
  expect(workers[0]?.name).not.toBe(old?.name)
  expect(planOf(larger, after).steps).toEqual([])
})

test('a template that a person protects stays when nothing uses it; destroy is refused as a whole', async () => {
  const before = made(await spec(1, '40G'), aWorld(['pve1']))
  const templates = before.templates.map((template) => ({ ...template, isProtected: true as const }))
  const seen = { ...before, templates }
  const larger = await spec(2, '60G')
  expect(templateSteps(larger, seen).map(({ kind }) => kind)).toEqual(['make-template'])
  const nothing = { ...larger(seen), machines: [], templates: [] }
  expect(() => planDestroyRound(nothing, seen, 1)).toThrow(/^dev-\S+ \(VM \d+\), .* are protected in Proxmox\.$/)
})

test('a clone that a person protects before it is complete is refused; one that has the protection of its template is not', async () => {
  const wanted = await spec(1, '40G')
  const before = made(wanted, aWorld(['pve1']))
  const machines = before.machines.map((machine) => ({
    ...machine,
    mark: { ...machine.mark, stage: 'making' as const, more: { ...machine.mark.more, identity: 'pending' } },
    options: { ...machine.options, protection: '1' },
  }))
  expect(() => planOf(wanted, { ...before, machines })).toThrow('are protected in Proxmox.')
  const templates = before.templates.map((template) => ({ ...template, isProtected: true as const }))
  expect(() => planOf(wanted, { ...before, machines, templates })).not.toThrow(/protected/)
})

test('what a clone is given anyway does not make its template unfit', async () => {
  const before = made(await spec(1, '40G'), aWorld(['pve1']))
  const more = await spec(2, '40G', { vm: { cpu_type: 'host' } })
  expect(templateSteps(more, before)).toEqual([])
})
