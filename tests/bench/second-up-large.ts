import { aStage, aTopology, clusterYaml, mutatingCalls } from '../support/lab.js'

const hosts = 30
const nodes = 300
const limit = 15_000

/** A cluster of 300 nodes is made, and then there is nothing to do. */
export default {
  name: `a second up on ${nodes} nodes over ${hosts} hosts`,
  async run(): Promise<{ value: number; limit: number; unit: string }> {
    const signal = AbortSignal.timeout(1_200_000)
    const yaml = clusterYaml({ controlPlanes: 3, workers: nodes - 3, extra: 'secrets: plain\n' })
    const files = {
      'cluster.yaml': yaml
        .replace('10.0.10.0/24', '10.0.8.0/21')
        .replace(
          'gateway: 10.0.10.254',
          'gateway: 10.0.15.254\n  pod_cidr: 10.128.0.0/9\n  control_plane_offset: 300\n  worker_offset: 1000',
        ),
    }
    const stage = await aStage({ speed: 10, topology: aTopology({ hosts }), files })
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
