import { aStage, aTopology, mutatingCalls } from '../support/lab.js'
import { filesFor } from './support/large-cluster.js'

const hosts = 30
const nodes = 300
const limit = 15_000

/** A cluster of 300 nodes is made, and then there is nothing to do. */
export default {
  name: `a second up on ${nodes} nodes over ${hosts} hosts`,
  async run(): Promise<{ value: number; limit: number; unit: string }> {
    const signal = AbortSignal.timeout(1_200_000)
    const stage = await aStage({ speed: 10, topology: aTopology({ hosts }), files: filesFor(nodes) })
    try {
      await stage.up({ signal })
      const writes = mutatingCalls(stage.lab).length
      const start = performance.now()
      const { outcome } = await stage.up({ signal })
      const took = performance.now() - start
      if (outcome !== 'nothing-to-do' || mutatingCalls(stage.lab).length !== writes)
        throw new Error(
          `it ended with ${outcome}: ${stage.events
            .slice(-30)
            .map((event) => ('step' in event ? event.step : event.type))
            .join()}`,
        )
      return { value: Math.round(took), limit, unit: 'ms' }
    } finally {
      await stage.close()
    }
  },
}
