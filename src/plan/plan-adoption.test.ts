import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../../tests/support/worlds.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'

const hosts = ['pve1', 'pve2', 'pve3']
const spec = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts }))
const empty = aWorld(hosts)
const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)

/** The cluster as if something else had made its machines. */
function unmarked(more: Partial<ObservedMachine> = {}): Observed {
  const machines = made.machines.map(({ pool: _, ...machine }): ObservedMachine => {
    const mark = { ...machine.mark, spec: '', image: '', talos: '', kubernetes: '' }
    return { ...machine, mark, isToAdopt: true, ...more }
  })
  return { ...made, machines }
}

test('machines that something else made are taken over first, and then nothing is left to do', () => {
  const { steps } = planOf(spec, unmarked())
  expect(steps.map(({ kind, round }) => `${kind} ${round}`)).toEqual(['adopt-machine 1', 'adopt-machine 1'])
  const after = carriedOut(steps, spec(unmarked()), unmarked())
  expect(after.machines.map(({ isToAdopt, pool }) => [isToAdopt, pool])).toEqual([
    [undefined, 'ichor-dev'],
    [undefined, 'ichor-dev'],
  ])
  expect(planOf(spec, after).steps).toEqual([])
})

test('a VM is not taken out of the pool of others', () => {
  const { vmid } = made.machines[0] ?? {}
  expect(() => planOf(spec, unmarked({ pool: 'others' }))).toThrow(`VM ${vmid} of dev-cp-1 is in the pool others.`)
})
