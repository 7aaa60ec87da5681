import { observe } from '../../src/observe/observe.js'
import { up } from '../../src/operations/goals.js'
import { preview } from '../../src/operations/reconcile.js'
import type { Topology } from '../../src/simulator/index.js'
import { freshMark } from '../../src/vm/fresh-mark.js'
import { marked } from '../../src/vm/marked.js'
import type { World } from '../../src/world.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

const hosts = 50
const ours = 100
const others = 1900
const speed = 200
const GiB = 1024 ** 3
const signal = AbortSignal.timeout(600_000)

/** What the hosts of most sites have: storages of their own. */
const storages: Topology['storages'] = [
  { id: 'local', type: 'dir', content: ['iso', 'import', 'vztmpl'], shared: false, total: 200 * GiB },
  { id: 'local-lvm', type: 'lvmthin', content: ['images'], shared: false, total: 2000 * GiB },
]

/** A living cluster, and one that was claimed and has got no further. */
export default {
  name: 'observing',
  run: async () => [
    ...(await onStage(makeAll, async (stage) => [
      // Its requests are counted below: a node that is silent costs one more, and here all are made to be.
      (
        await proxmoxAlone(stage, 'running and healthy')
      ).time,
      ...(await withNodes(stage)),
    ])),
    ...Object.values(await onStage(claimAll, (stage) => proxmoxAlone(stage, 'claimed and off'))),
  ],
}

async function onStage<R>(prepare: (stage: Stage) => Promise<void>, measure: (stage: Stage) => Promise<R>): Promise<R> {
  const topology = aTopology({ hosts, storages, guests: Array.from({ length: others }, (_, n) => foreigner(n)) })
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: ours - 3, extra: 'secrets: plain\n' }) }
  const stage = await aStage({ speed, topology, files })
  try {
    await prepare(stage)
    return await measure(stage)
  } finally {
    await stage.close()
  }
}

async function proxmoxAlone(stage: Stage, state: string) {
  const { world } = await stage.connect()
  const { took, requests } = await look(stage, withSilentNodes(world))
  const name = `${hosts} hosts and ${others + ours} VMs, ${ours} of them ours (${state}), observed`
  return {
    time: { name, value: took, limit: 1000, unit: 'ms' },
    requests: { name, value: requests, limit: 10 + ours, unit: 'requests' },
  }
}

async function withNodes(stage: Stage) {
  const { world } = await stage.connect()
  const { took, requests, calls } = await look(stage, world)
  const name = 'the same, with Talos, etcd and Kubernetes'
  return [
    { name, value: took, limit: 5000, unit: 'ms' },
    { name, value: requests, limit: 10 + ours, unit: 'requests to Proxmox' },
    { name, value: calls, limit: 4 * ours, unit: 'calls of Talos and Kubernetes' },
  ]
}

async function look(stage: Stage, world: World) {
  const inventory = await stage.inventory()
  const { lab } = stage
  const before = lab.proxmox.requests().length
  // A fault that does no harm counts the calls that it meets.
  for (const surface of ['talos', 'kubernetes'] as const)
    lab.faults.add({ match: { surface }, action: { kind: 'delay', modelMs: 0 }, times: Number.POSITIVE_INFINITY })
  const start = performance.now()
  const { machines } = await observe(inventory, world, signal)
  const took = Math.round(performance.now() - start)
  const calls = lab.faults.list().reduce((sum, { hits }) => sum + hits, 0)
  lab.faults.clear()
  if (machines.length !== ours) throw new Error(`${machines.length} machines were seen`)
  return { took, calls, requests: lab.proxmox.requests().length - before }
}

/** Nobody but Proxmox is asked. */
function withSilentNodes(world: World): World {
  const silence = () => Promise.reject(new Error('nobody asked'))
  const { talos } = world
  return {
    ...world,
    talos: {
      ...talos,
      node: (target) => ({ ...talos.node(target), version: silence }),
      maintenance: (target) => ({ ...talos.maintenance(target), findIdentity: silence }),
    },
  }
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

async function makeAll(stage: Stage): Promise<void> {
  await stage.up({ signal })
  const { outcome } = await stage.up({ signal })
  if (outcome !== 'nothing-to-do') throw new Error(`the cluster is not healthy: a second up ended with ${outcome}`)
}

async function claimAll(stage: Stage): Promise<void> {
  const { world } = await stage.connect()
  await world.secrets.make('v1.13')
  const { desired } = await preview({ spec: await stage.spec(world), world, goal: up, signal })
  await world.proxmox.pools.create(desired.cluster.pool, '', signal)
  await Promise.all(
    desired.machines.map(async (machine) => {
      const description = marked('', freshMark(machine, desired), desired)
      const options = { ...machine.options, description, pool: desired.cluster.pool }
      await world.proxmox.tasks.wait(await world.proxmox.machines.create(machine, options, signal), signal)
    }),
  )
}
