import { taskTime } from '../../src/simulator/proxmox/durations.js'
import { aStage, aTopology, clusterYaml } from '../support/lab.js'

const GiB = 1024 ** 3
const machines = 10
const memory = 2
const speed = 2

/** Ten machines leave a host by live migration, which sends one at a time; their disks are on a shared storage. */
export default {
  name: 'evacuation of a host with 10 machines',
  async run(): Promise<{ name: string; value: number; limit: number; unit: string }> {
    const hosts = aTopology({ hosts: 3 })
    const shared = { id: 'shared', type: 'rbd', content: ['images'], shared: true, total: 4000 * GiB } as const
    const topology = { ...hosts, storages: [...hosts.storages, shared] }
    const yaml = (evacuate: string) =>
      clusterYaml({
        controlPlanes: 3,
        workers: 27,
        extra: `secrets: plain\nplacement:\n  evacuate: [${evacuate}]\n`,
      })
        .replace('local-lvm', 'shared')
        .replaceAll('ram: 4GiB', `ram: ${memory}GiB`)
    const files = { 'cluster.yaml': yaml('') }
    const signal = AbortSignal.timeout(600_000)
    const builder = await aStage({ speed: 500, files, topology })
    await builder.up({ signal })
    const stage = await aStage({ speed, files, topology, folder: builder.folder, resume: builder.lab.save() })
    try {
      await stage.write('cluster.yaml', yaml('pve1'))
      const moved: number[] = []
      const from = { at: 0 }
      await stage.up({
        signal,
        onEvent: ({ type, ...event }) => {
          const isMove = 'step' in event && event.step.startsWith('migrate-machine')
          if (isMove && type === 'step.started' && from.at === 0) from.at = performance.now()
          if (isMove && type === 'step.finished') moved.push(performance.now())
        },
      })
      const took = ((moved.at(-1) ?? 0) - from.at) * speed
      const floor = machines * (1000 + memory * taskTime.migratePerGiB)
      return {
        name: `${moved.length} machines leave a host, against ${floor} ms of migrations one after the other`,
        value: Math.round((took / floor) * 100) / 100,
        limit: 1.15,
        unit: 'times',
      }
    } finally {
      await stage.close()
      await builder.close()
    }
  },
}
