import { durations } from '../../src/simulator/talos/machine/durations.js'
import { aStage, aTopology, clusterYaml } from '../support/lab.js'

const controlPlanes = 3
const workers = 30
const atOnce = 3
/** Whatever lab and client compute in this one process counts so many times over. */
const speed = 3

const pool = `worker_pools:\n  - { name: general, count: ${workers}, max_unavailable: 10% }\n`
const yaml = (talos: string) =>
  clusterYaml({ controlPlanes, workers: 0, extra: pool })
    .replace('v1.13.9', talos)
    .replaceAll('ram: 4GiB', 'ram: 2GiB')
    .replace('control_plane: { cpu: 2, ram: 2GiB', 'control_plane: { cpu: 2, ram: 4GiB')

/** The installer writes, services stop, and the machine boots by kexec until its services start. */
const reboot =
  durations.upgrade +
  durations.stopServices +
  durations.kernel +
  durations.network +
  durations.apid +
  durations.containerRuntime
/** Until its node is Ready, and until its API server is back behind etcd; what is polled for comes half an interval late. */
const worker = reboot + durations.kubelet + durations.nodeReadyPoll / 2
const controlPlane = reboot + durations.etcdStart + durations.retry / 2 + durations.staticPods
const floor = controlPlanes * controlPlane + (workers / atOnce) * worker

/**
 * A patch release of Talos on 3+30, a tenth of the workers at a time, against what batches and the lab's durations allow: one
 * control plane after the other, then ten batches of workers.
 */
export default {
  name: 'upgrade of 3+30',
  async run(): Promise<{ name: string; value: number; limit: number; unit: string }> {
    const topology = aTopology({ hosts: 3 })
    const signal = AbortSignal.timeout(1_200_000)
    const files = { 'cluster.yaml': yaml('v1.13.8') }
    const builder = await aStage({ speed: 500, files, topology })
    await builder.up({ signal })
    const stage = await aStage({ speed, files, topology, folder: builder.folder, resume: builder.lab.save() })
    try {
      await stage.write('cluster.yaml', yaml('v1.13.9'))
      const moments: number[] = []
      const { outcome } = await stage.up({
        signal,
        onEvent: ({ type, ...event }) => {
          const isRoll = 'step' in event && /^(install-talos|uncordon-node)\?/.test(event.step)
          if (isRoll && /^step\.(started|finished)$/.test(type)) moments.push(stage.lab.clock.now())
        },
      })
      if (outcome !== 'done') throw new Error(`the upgrade ended ${outcome}`)
      const took = (moments.at(-1) ?? 0) - (moments[0] ?? 0)
      return {
        name: `${controlPlanes}+${workers} get another Talos, ${atOnce} workers at a time, against a floor of ${Math.round(floor / 1000)} s of model time`,
        value: Math.round((took / floor) * 100) / 100,
        limit: 1.1,
        unit: 'times',
      }
    } finally {
      await stage.close()
      await builder.close()
    }
  },
}
