import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../../../tests/support/worlds.js'
import type { Observed } from '../../observe/observed.js'
import type { PlannedStep } from '../plan.js'
import { firstOfRoll, type UpgradeLimit, withinLimit } from './limit-upgrade.js'

const hosts = ['pve1', 'pve2', 'pve3']
const pools = [{ name: 'edge', count: 2, offset: 3000, sizing: { cpu: 1, ram: '2GiB', disk: '20G' } }]

async function specOf(talos_version: string, kubernetes_version = 'v1.36.3') {
  const talos = { contract: 'v1.13' }
  return specFor(
    await anInventory({
      controlPlanes: 3,
      workers: 1,
      hosts,
      with: { talos_version, kubernetes_version, talos, worker_pools: pools },
    }),
  )
}

async function aRound(talos: string, kubernetes?: string): Promise<readonly PlannedStep[]> {
  const before = await specOf('v1.13.8')
  let world: Observed = aWorld(hosts)
  for (let round = 0; round < 3; round++) world = carriedOut(planOf(before, world).steps, before(world), world)
  return planOf(await specOf(talos, kubernetes), world).steps.filter(({ round }) => round === 1)
}

function limited(steps: readonly PlannedStep[], limit: UpgradeLimit): readonly PlannedStep[] {
  return withinLimit(steps, firstOfRoll(steps, limit))
}

function touched(steps: readonly PlannedStep[]): string[] {
  return [...new Set(steps.flatMap(({ machine }) => machine ?? []))].sort()
}

test('a roll that pauses after two machines touches two, and prepares them as always', async () => {
  const steps = await aRound('v1.13.9')
  const two = limited(steps, { pauseAfter: 2 })
  expect(touched(two)).toHaveLength(2)
  expect(touched(two).every((name) => name.startsWith('dev-cp-'))).toBe(true)
  const kinds = two.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['confirm-health', 'snapshot-etcd', 'pull-image', 'uncordon-node']))
  const ids = new Set(two.map(({ id }) => id))
  expect(two.flatMap(({ after }) => after).filter((id) => !ids.has(id))).toEqual([])
})

test('a canary is a pool that is upgraded before all others', async () => {
  const steps = await aRound('v1.13.9')
  const canary = limited(steps, { canary: ['dev-edge-1', 'dev-edge-2'] })
  expect(touched(canary)).toEqual(['dev-edge-1', 'dev-edge-2'])
})

test('a round that would upgrade no machine, or Kubernetes, is empty', async () => {
  expect(limited(await aRound('v1.13.9'), { canary: [] })).toEqual([])
  expect(limited(await aRound('v1.13.8', 'v1.36.4'), { pauseAfter: 1 })).toEqual([])
})
