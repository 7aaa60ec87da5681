import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor, stepNames } from '../../../tests/support/worlds.js'
import { unseen } from '../../cluster/seen.js'
import { cordoned } from '../../node/kubernetes-node.js'
import type { Observed } from '../../observe/observed.js'

const hosts = ['pve1', 'pve2', 'pve3']
const specOf = async (talos: string) =>
  specFor(
    await anInventory({
      controlPlanes: 3,
      workers: 2,
      hosts,
      with: { talos_version: talos, talos: { contract: 'v1.12' } },
    }),
  )
const spec = await specOf('v1.12.4')
const empty = aWorld(hosts)
const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
/** An interrupted run left dev-wk-1 cordoned. */
const left: Observed = {
  ...made,
  machines: made.machines.map((machine) =>
    machine.name === 'dev-wk-1' && machine.node !== undefined ? { ...machine, node: cordoned(machine.node) } : machine,
  ),
}

test('a forgotten cordon is lifted', () => {
  expect(stepNames(planOf(spec, left).steps)).toEqual(['uncordon-node:dev-wk-1', 'check-health'])
})

test('one that is to be upgraded is freed first, and again when it is back', async () => {
  const { steps } = planOf(await specOf('v1.12.11'), left)
  const of = (wanted: string) => steps.filter(({ kind, machine }) => kind === wanted && machine === 'dev-wk-1')
  const [back] = of('await-upgraded')
  expect(of('uncordon-node').map(({ round, after }) => ({ round, after }))).toEqual([
    { round: 1, after: [] },
    { round: 2, after: [back?.id] },
  ])
  expect(of('upgrade-machine').map(({ round }) => round)).toEqual([2])
})

test('while no node is observed nothing waits for a healthy cluster: a node may be cordoned', () => {
  const blind: Observed = {
    ...left,
    machines: left.machines.map(({ node: _, ...machine }) => machine),
    kubernetes: unseen('no answer'),
  }
  const first = planOf(spec, blind).steps.filter(({ round }) => round === 1)
  expect(stepNames(first)).toContain('await-kubernetes')
  expect(stepNames(first)).not.toContain('check-health')
})
