import { aStage, aTopology, clusterYaml, mutatingCalls } from '../support/lab.js'

const hosts = 30
const nodes = 300
const limit = 15_000

/** A cluster of 300 nodes is made in fast time and then looked at once more at speed 10. */
export default {
  name: `a second up on ${nodes} nodes over ${hosts} hosts`,
  async run(): Promise<{ value: number; limit: number; unit: string }> {
    const signal = AbortSignal.timeout(1_200_000)
    const yaml = clusterYaml({ controlPlanes: 3, workers: nodes - 3, extra: 'secrets: plain\n' })
    const files = {
      'cluster.yaml': yaml
        .replace('10.0.10.0/24', '10.0.8.0/21')
        .replace('gateway: 10.0.10.254', 'gateway: 10.0.15.254\n  control_plane_offset: 300\n  worker_offset: 1000'),
    }
    const builder = await aStage({ speed: 100, topology: aTopology({ hosts }), files })
    await builder.up({ signal })
    const stage = await aStage({ speed: 10, files, folder: builder.folder, resume: builder.lab.save() })
    await builder.lab.close()
    try {
      await stage.up({ signal })
      const writes = mutatingCalls(stage.lab).length
      const start = performance.now()
      const { outcome } = await stage.up({ signal })
      const took = performance.now() - start
      if (outcome !== 'nothing-to-do' || mutatingCalls(stage.lab).length !== writes) throw new Error('it did something')
      return { value: Math.round(took), limit, unit: 'ms' }
    } finally {
      await stage.close()
    }
  },
}
