import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { afterMishap, aWorld, carriedOut, planOf, specFor, stepName } from '../../tests/support/worlds.js'
import { planRound } from '../rounds/plan-round.js'

const hosts = ['pve1', 'pve2', 'pve3']
const pool = (name: string, count: number, most?: number | string) => ({
  name,
  count,
  offset: 20 + 20 * name.length,
  ...(most === undefined ? {} : { max_unavailable: most }),
})

test('as many machines of a pool restart at once as may be away, and control planes one by one', async () => {
  const worker_pools = [pool('one', 2), pool('three', 4, 3), pool('quarter', 8, '25%'), pool('sliver', 3, '10%')]
  const spec = specFor(await anInventory({ controlPlanes: 3, workers: 0, hosts, with: { worker_pools } }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  const changed = made.machines.reduce((seen, { name }) => afterMishap(seen, name, 'memory was changed'), made)
  const restarts = planRound(spec(changed), changed, 1).filter(({ kind }) => kind === 'restart-vm')
  expect(restarts).toHaveLength(20)
  const [worker] = restarts.filter(({ machine }) => machine?.includes('one'))
  expect(worker?.after.map(stepName)).toEqual(expect.arrayContaining(['await-back:dev-cp-1', 'await-back:dev-cp-3']))
  expect(Object.fromEntries(restarts.map(({ turn }) => [turn?.name, turn?.limit]))).toEqual({
    controlplane: 1,
    'pool:one': 1,
    'pool:three': 3,
    'pool:quarter': 2,
    'pool:sliver': 1,
  })
})
