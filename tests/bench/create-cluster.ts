import type { World } from '../../src/world.js'
import { aStage, clusterYaml, mutatingCalls } from '../support/lab.js'

/** Whatever lab and client compute in this one process counts so many times over. */
const speed = 2
const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 3, extra: 'secrets: plain\n' }) }
const patience = 600_000

/**
 * Three control planes and three workers on three hosts, their secrets included, against what the lab needs at the very least and
 * the making of those secrets, whose keys take longer in one run than in another; then once more.
 */
export default {
  name: 'up of 3+3',
  async run() {
    const stage = await aStage({ speed, files })
    try {
      let making = 0
      const through = (world: World): World => {
        const make = async (contract: string) => {
          making = await timed(() => world.secrets.make(contract))
        }
        return { ...world, secrets: { ...world.secrets, make } }
      }
      const took = await timed(() => stage.up({ signal: AbortSignal.timeout(patience), through }))
      const path = stage.lab.criticalPath() / speed + making
      const calls = callsOf(stage.lab)
      const writes = mutatingCalls(stage.lab).length
      await stage.up()
      if (mutatingCalls(stage.lab).length !== writes) throw new Error('the second up wrote something')
      return [
        {
          name: `up of 3+3 on three hosts in ${calls} calls, against the critical path of ${Math.round(path)} ms at speed ${speed}, of it ${Math.round(making)} ms for secrets`,
          value: Math.round((took / path) * 100) / 100,
          limit: 1.05,
          unit: 'times',
        },
        {
          name: 'a second up of 3+3, none of it a write',
          value: callsOf(stage.lab) - calls,
          limit: 20 + 5 * 6,
          unit: 'calls',
        },
      ]
    } finally {
      await stage.close()
    }
  },
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function callsOf({ ledger }: Parameters<typeof mutatingCalls>[0]): number {
  return ledger.entries().filter(({ event }) => event === 'call').length
}
