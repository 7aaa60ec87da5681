import { ifSeen } from '../../cluster/seen.js'
import type { Observed } from '../../observe/observed.js'
import type { World } from '../../world.js'

const patienceMs = 5000

/**
 * Memory in use of each machine in bytes, by name, as its kubelet measures it: with a fixed size, Proxmox reports nearly
 * all of it as used. One call for all, which metrics-server answers; empty without it.
 */
export async function findMachineMemory(
  { machines, kubernetes }: Pick<Observed, 'machines' | 'kubernetes'>,
  world: Pick<World, 'kubernetes'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const endpoints = machines.flatMap(({ mark, talos, address }) =>
    mark.role === 'controlplane' && talos.reach === 'secured' && address !== undefined
      ? [{ host: address, port: 6443 }]
      : [],
  )
  if (ifSeen(kubernetes) === undefined || endpoints.length === 0) return new Map()
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const measured = await world.kubernetes
    .at(endpoints)
    .list({ apiVersion: 'metrics.k8s.io/v1beta1', kind: 'NodeMetrics' }, undefined, {}, patience)
    .catch(() => {
      signal.throwIfAborted()
      return []
    })
  const byNode = new Map(measured.map(({ metadata, usage }) => [metadata.name, bytesOf(usage)]))
  return new Map(
    machines.flatMap(({ name, node }) => {
      const used = node === undefined ? undefined : byNode.get(node.name)
      return used === undefined ? [] : [[name, used] as const]
    }),
  )
}

const units: Readonly<Record<string, number>> = { '': 1, Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3, Ti: 1024 ** 4 }

/** A quantity as metrics-server writes memory: `1843200Ki`. */
function bytesOf(usage: unknown): number | undefined {
  const { memory } = (usage ?? {}) as { memory?: unknown }
  const [, digits, unit = ''] = /^(\d+)([KMGT]i)?$/.exec(typeof memory === 'string' ? memory : '') ?? []
  return digits === undefined ? undefined : Number(digits) * (units[unit] ?? 1)
}
