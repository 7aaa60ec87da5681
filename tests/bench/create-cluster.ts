import { aStage, clusterYaml, mutatingCalls } from '../support/lab.js'

/** At most 10: whatever lab and client compute in this one process counts so many times over. */
const speed = 5
const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 3, extra: 'secrets: plain\n' }) }
const patience = 600_000

/** Three control planes and three workers on three hosts, against what the lab itself needs at the very least; then once more. */
export default {
  name: 'up of 3+3',
  async run() {
    const stage = await aStage({ speed, files })
    try {
      await (await stage.connect()).world.secrets.make('v1.13')
      const start = performance.now()
      await stage.up({ signal: AbortSignal.timeout(patience) })
      const took = performance.now() - start
      const path = stage.lab.criticalPath() / speed
      const calls = callsOf(stage.lab)
      const writes = mutatingCalls(stage.lab).length
      await stage.up()
      if (mutatingCalls(stage.lab).length !== writes) throw new Error('the second up wrote something')
      return [
        {
          name: `up of 3+3 on three hosts in ${calls} calls, against the critical path of ${Math.round(path)} ms at speed ${speed}`,
          value: Math.round((took / path) * 100) / 100,
          limit: 1.1,
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

function callsOf({ ledger }: Parameters<typeof mutatingCalls>[0]): number {
  return ledger.entries().filter(({ event }) => event === 'call').length
}
