import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { notesOf } from '../../../tests/support/plan-notes.js'
import { aWorld, carriedOut, planOf, specFor, stepName } from '../../../tests/support/worlds.js'
import type { ObservedMachine } from '../../observe/observed.js'
import { renumber } from '../../operations/change/surge.js'

const hosts = ['pve1', 'pve2', 'pve3']
const pool = (surge: number | string) => [{ name: 'web', count: 3, surge, sizing: { cpu: 1, ram: '2GiB' } }]
const inventory = (surge: number | string, retired: readonly string[] = []) =>
  anInventory({ controlPlanes: 1, hosts, with: { worker_pools: pool(surge), retired } })

/** The plan for a cluster in which these machine numbers are replaced by others. */
async function planWithout(surge: number | string, ...retired: string[]) {
  const before = specFor(await inventory(surge))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(before, empty).steps, before(empty), empty)
  return planOf(specFor(await inventory(surge, retired)), made).steps
}

test('with surge another machine is Ready before one leaves, and no more are there than the pool may have', async () => {
  const steps = await planWithout(1, 'dev-web-1', 'dev-web-2')
  const drains = steps.filter(({ kind }) => kind === 'drain-node')
  expect(drains.map(({ round, machine }) => `${round} ${machine}`)).toEqual(['1 dev-web-1', '2 dev-web-2'])
  expect(drains[0]?.after.map(stepName)).toEqual(['await-back:dev-web-4'])
  expect(drains[1]?.after.map(stepName)).toEqual(['await-back:dev-web-5'])
  const claims = steps.filter(({ kind }) => kind === 'claim-machine')
  expect(claims.map(({ round, machine }) => `${round} ${machine}`)).toEqual(['1 dev-web-4', '2 dev-web-5'])
})

test('a percentage is rounded up; without surge nothing waits', async () => {
  const shared = await planWithout('50%', 'dev-web-1', 'dev-web-2')
  expect(shared.filter(({ kind }) => kind === 'claim-machine').map(({ round }) => round)).toEqual([1, 1])
  const none = await planWithout(0, 'dev-web-1')
  expect(none.find(({ kind }) => kind === 'drain-node')?.after).toEqual([])
})

test('replace takes another number of a counted pool with surge, first one that was retired before', async () => {
  const there = (...numbers: number[]) => new Set(numbers.map((number) => `dev-web-${number}`))
  const first = renumber(['dev-web-1'], await inventory(1), there(1, 2, 3))
  expect(first).toEqual({ names: ['dev-web-1'], changes: [{ path: 'retired', value: ['dev-web-1'] }] })
  const next = renumber(['dev-web-3'], await inventory(1, ['dev-web-1']), there(2, 3, 4))
  expect(next.changes).toEqual([{ path: 'retired', value: ['dev-web-3'] }])
  const running = renumber(['dev-web-3'], await inventory(1, ['dev-web-1']), there(1, 2, 3, 4))
  expect(running.changes).toEqual([{ path: 'retired', value: ['dev-web-1', 'dev-web-3'] }])
  expect(renumber(['dev-web-1'], await inventory(0), there(1)).changes).toEqual([])
})

test('an inventory that needs other VMs replaces them under their names: the plan notes that surge does not apply, and the alternative', async () => {
  const before = specFor(await inventory(1))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(before, empty).steps, before(empty), empty)
  const secure = (surge: number, retired: readonly string[] = []) =>
    anInventory({
      controlPlanes: 1,
      hosts,
      with: { worker_pools: pool(surge), retired, talos: { secure_boot: true, boot: 'iso' } },
    })
  const others = made.machines.filter(({ mark }) => mark.role === 'controlplane').map(securely)
  const observed = { ...made, machines: [...others, ...made.machines.filter(({ mark }) => mark.role === 'worker')] }
  const names = ['dev-web-1', 'dev-web-2', 'dev-web-3']
  const noted = `${names.join(', ')}: replaced under the same name, up to max_unavailable at a time; surge of pool web is not used. To have new machines Ready first, run ichor replace ${names.join(' ')}.`
  expect(notesOf(planOf(specFor(await secure(1)), observed))).toContain(noted)
  expect(notesOf(planOf(specFor(await secure(0)), observed))).toEqual([])
  // The edit that the suggested command makes.
  const asked = planOf(specFor(await secure(1, names)), observed)
  expect(notesOf(asked)).toEqual([])
  expect(asked.steps.filter(({ kind }) => kind === 'claim-machine').map(({ machine }) => machine)).toEqual([
    'dev-web-4',
    'dev-web-5',
    'dev-web-6',
  ])
})

/** The same machine, created with secure boot. */
function securely(machine: ObservedMachine): ObservedMachine {
  return {
    ...machine,
    mark: { ...machine.mark, image: machine.mark.image.replace(/\.(qcow2|raw)$/, '-secureboot.$1') },
  }
}
