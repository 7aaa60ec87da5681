import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor, stepName } from '../../../tests/support/worlds.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'

const hosts = ['pve1', 'pve2', 'pve3']

async function specOf(controlPlanes: number, more: Readonly<Record<string, unknown>> = {}) {
  return specFor(await anInventory({ controlPlanes, workers: 2, hosts, with: more }))
}

/** A cluster created from that inventory. */
async function madeWith(controlPlanes: number, more: Readonly<Record<string, unknown>> = {}) {
  const spec = await specOf(controlPlanes, more)
  const empty = aWorld(hosts)
  return carriedOut(planOf(spec, empty).steps, spec(empty), empty)
}

const changed = (observed: Observed, change: (machine: ObservedMachine) => Partial<ObservedMachine>): Observed => ({
  ...observed,
  machines: observed.machines.map((machine) => ({ ...machine, ...change(machine) })),
})

test.each([
  { before: {}, after: { talos: { secure_boot: true, boot: 'iso' } }, says: 'secure boot off -> on, needs another VM' },
  { before: { talos: { secure_boot: true, boot: 'iso' } }, after: {}, says: 'secure boot on -> off, needs another VM' },
  { before: {}, after: { talos: { disk_encryption: true } }, says: 'disk encryption changed, needs another VM' },
  { before: { talos: { disk_encryption: true } }, after: {}, says: 'disk encryption changed, needs another VM' },
  { before: { vm: { bios: 'seabios' } }, after: {}, says: 'firmware seabios -> ovmf, needs another VM' },
])('what only another VM can have comes with one: $says', async ({ before, after, says }) => {
  const observed = await madeWith(3, before)
  const spec = await specOf(3, after)
  const { steps } = planOf(spec, observed)
  const reset = steps.filter(({ kind }) => kind === 'reset-machine')
  expect(new Set(reset.map(({ reason }) => reason))).toEqual(new Set([says]))
  expect(reset.map(({ machine }) => machine).sort()).toEqual(observed.machines.map(({ name }) => name).sort())
  const controlPlanes = reset.filter(({ machine }) => machine?.startsWith('dev-cp'))
  expect(new Set(controlPlanes.map(({ round }) => round)).size, 'one control plane a round').toBe(3)
  expect(steps.map(({ kind }) => kind)).not.toContain('change-config')
  const done = steps.reduce((seen, step) => carriedOut([step], spec(seen), seen), observed)
  expect(planOf(spec, done).steps).toEqual([])
})

test('an image that would not enrol the keys is refused before the first machine is replaced', async () => {
  const observed = await madeWith(3)
  const spec = await specOf(3, { talos: { secure_boot: true } })
  expect(() => planOf(spec, aWorld(hosts))).toThrow('would boot without Secure Boot')
  expect(() => planOf(spec, observed)).toThrow('would boot without Secure Boot')
})

test('the only control plane is refused; where others are added, they come first', async () => {
  const observed = await madeWith(1)
  const after = { talos: { disk_encryption: true } }
  const alone = await specOf(1, after)
  expect(() => planOf(alone, observed)).toThrow(
    'dev-cp-1 is the only member of etcd, and cannot be replaced: disk encryption changed, needs another VM.',
  )
  const { steps } = planOf(await specOf(3, after), observed)
  const order = steps.map(({ id }) => stepName(id))
  expect(order.indexOf('start-machine:dev-cp-3')).toBeLessThan(order.indexOf('reset-machine:dev-cp-1'))
})

test('nothing is replaced for a hand that switched the firmware, for a machine that is silent, or while its config is unseen', async () => {
  const observed = await madeWith(3)
  const same = await specOf(3)
  const switched = changed(observed, ({ options }) => ({ options: { ...options, bios: 'seabios' } }))
  const kinds = planOf(same, switched).steps.map(({ kind }) => kind)
  expect(kinds).toContain('reconfigure-vm')
  expect(kinds).not.toContain('reset-machine')
  const encrypted = await specOf(3, { talos: { disk_encryption: true } })
  const unread = changed(observed, ({ talos }) => ({
    talos: talos.reach === 'secured' ? { ...talos, config: { seen: false, why: 'no answer' } } : talos,
  }))
  expect(planOf(encrypted, unread).steps.map(({ kind }) => kind)).not.toContain('reset-machine')
  const silent = changed(observed, () => ({ talos: { reach: 'silent', reason: 'no answer' } }))
  const secure = await specOf(3, { talos: { secure_boot: true, boot: 'iso' } })
  expect(
    planOf(secure, silent)
      .steps.filter(({ round }) => round === 1)
      .map(({ kind }) => kind),
  ).not.toContain('delete-machine')
})

test('a change that is written back is forgotten, unless the machine is being wiped already', async () => {
  const observed = await madeWith(3)
  const same = await specOf(3)
  const noted = (stage: 'made' | 'leaving') =>
    changed(observed, ({ name, mark }) =>
      name === 'dev-wk-1' ? { mark: { ...mark, stage, more: { ...mark.more, replace: 'inventory' } } } : {},
    )
  expect(planOf(same, noted('made')).steps).toEqual([])
  expect(planOf(same, noted('leaving')).steps.map(({ id }) => stepName(id))).toContain('delete-machine:dev-wk-1')
})
