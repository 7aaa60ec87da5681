import { taskTime } from '../../src/simulator/proxmox/durations.js'
import { aStage, clusterYaml } from '../support/lab.js'

const workers = 29
const hosts = 3
/** Deletions at once on a host. */
const lane = 4

/** Thirty running machines go; the lab runs at the speed of the wall, so that its durations count and not ours. */
export default {
  name: 'destroy of 30 machines',
  async run(): Promise<{ name: string; value: number; limit: number; unit: string }> {
    const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers, extra: 'secrets: plain\n' }) }
    const signal = AbortSignal.timeout(600_000)
    const builder = await aStage({ speed: 500, files })
    await builder.up({ signal, until: 'vms' })
    const saved = builder.lab.save()
    const { folder } = builder
    const stage = await aStage({ speed: 1, files, folder, resume: saved })
    try {
      const start = performance.now()
      await stage.destroy({ signal })
      const took = performance.now() - start
      const depth = Math.ceil((workers + 1) / hosts / lane)
      const limit = (taskTime.stop + taskTime.destroy) * depth
      return {
        name: `destroy of ${workers + 1} machines on ${hosts} hosts, against ${limit} ms (stop and delete, ${depth} deep)`,
        value: Math.round((took / limit) * 100) / 100,
        limit: 1.25,
        unit: 'times',
      }
    } finally {
      await stage.close()
      await builder.close()
    }
  },
}
