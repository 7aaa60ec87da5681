import { observe } from '../../src/observe/observe.js'
import { writeMark } from '../../src/ownership/mark.js'
import { preview } from '../../src/reconcile.js'
import { freshMark } from '../../src/steps/mark-of.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

const hosts = 50
const ours = 100
const others = 1900
const GiB = 1024 ** 3
const signal = AbortSignal.timeout(300_000)

/** Our machines are claimed and off, so that Proxmox alone is asked. */
export default {
  name: 'observing',
  async run() {
    const stage = await aStage({
      topology: aTopology({
        hosts,
        storages: [
          { id: 'shared', type: 'nfs', content: ['iso', 'import'], shared: true, total: 2000 * GiB },
          { id: 'local-lvm', type: 'lvmthin', content: ['images'], shared: false, total: 2000 * GiB },
        ],
        guests: Array.from({ length: others }, (_, index) => foreigner(index)),
      }),
      files: { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: ours - 3 }) },
    })
    try {
      await claimAll(stage)
      const { world } = await stage.connect()
      const inventory = await stage.inventory()
      const before = stage.lab.proxmox.requests().length
      const start = performance.now()
      const { machines } = await observe(inventory, world, signal)
      const took = Math.round(performance.now() - start)
      const requests = stage.lab.proxmox.requests().length - before
      if (machines.length !== ours) throw new Error(`${machines.length} machines were seen`)
      const of = `${hosts} hosts and ${others + ours} VMs, ${ours} of them ours, observed`
      return [
        { name: of, value: took, limit: 1000, unit: 'ms' },
        { name: of, value: requests, limit: 10 + ours, unit: 'requests' },
      ]
    } finally {
      await stage.close()
    }
  },
}

function foreigner(index: number) {
  return {
    vmid: 10_000 + index,
    name: `other-${index}`,
    host: `pve${(index % hosts) + 1}`,
    cpus: 1,
    memory: GiB,
    disk: 8 * GiB,
    running: index % 2 === 0,
  }
}

async function claimAll(stage: Stage): Promise<void> {
  const { world } = await stage.connect()
  await world.secrets.make('v1.13')
  const { desired } = await preview({ wish: await stage.wish(world), world, goal: 'up', signal })
  await world.proxmox.pools.create(desired.cluster.pool, '', signal)
  await Promise.all(
    desired.machines.map(async (machine) => {
      const description = writeMark('', freshMark(machine, desired))
      const options = { ...machine.options, description, pool: desired.cluster.pool }
      await world.proxmox.tasks.wait(await world.proxmox.machines.create(machine, options, signal), signal)
    }),
  )
}
