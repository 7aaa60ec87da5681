import { clusterMarkId } from '../../src/cluster/identity.js'
import { GiB } from '../../src/cluster/machine.js'
import type { ClusterSpec } from '../../src/desired/cluster-spec.js'
import type { Desired } from '../../src/desired/desired.js'
import { resolveDesired } from '../../src/desired/resolve-desired.js'
import type { Inventory } from '../../src/inventory/index.js'
import type { Observed, ObservedKubernetes, ObservedMachine } from '../../src/observe/observed.js'
import type { PlannedStep } from '../../src/plan/plan.js'
import type { GuestResource } from '../../src/proxmox/client/port.js'
import { stepOf } from '../../src/steps/index.js'
import { aBundle } from '../../src/talos/config/testdata/a-machine.js'

const secrets = { bundle: aBundle(), memory: { bootstrapped: false, values: {} } }
const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }

/** How that inventory specs, whatever is observed. */
export function specFor(inventory: Inventory): (observed: Observed) => Desired {
  const spec: ClusterSpec = { inventory, secrets, patches, addons: [], until: 'healthy' }
  return (observed) => resolveDesired(spec, observed)
}

/** Hosts with 16 threads and 64 GiB each, with guests of other people and nothing of ours. */
export function aWorld(hosts: readonly string[], guests: readonly GuestResource[] = []): Observed {
  const location = { shared: false, available: true, total: 4096 * GiB, used: 0 }
  return {
    proxmox: {
      version: { version: '9.2.3', major: 9, minor: 2, canImportImages: true },
      hosts: hosts.map((name) => ({ name, online: true, maintenance: false, cpus: 16, memory: 64 * GiB })),
      guests,
      storages: hosts.flatMap((host) => [
        { ...location, host, storage: 'local', type: 'dir', content: ['iso', 'import'] },
        { ...location, host, storage: 'local-lvm', type: 'lvmthin', content: ['images'] },
      ]),
      pciMappings: [],
      volumes: [],
      poolExists: true,
      bridges: [],
    },
    machines: [],
    templates: [],
    unverified: [],
    secrets: { present: true, bootstrapped: false, clusterId: clusterMarkId(secrets.bundle.cluster.id) },
    taken: [],
  }
}

/** Somebody else's running VM with 2 vCPU and 4 GiB. */
export function aForeignVm(vmid: number, host: string, name = `foreignVm-${vmid}`): GuestResource {
  return {
    kind: 'qemu',
    vmid,
    host,
    name,
    status: 'running',
    template: false,
    cpus: 2,
    memory: 4 * GiB,
    disk: 0,
    tags: [],
  }
}

/** What would be seen after these steps. */
export function carriedOut(steps: readonly PlannedStep[], desired: Desired, observed: Observed): Observed {
  return steps.reduce((seen, { kind, args }) => stepOf(kind).effect(args, seen, desired), observed)
}

/** What can happen to a machine behind our back. */
export const mishaps = {
  'memory was changed': (machine) => ({ options: { ...machine.options, memory: '1024' } }),
  'tags were removed': ({ options: { tags: _, ...options } }) => ({ options }),
  'an option waits for a restart': () => ({ pending: ['cores'] }),
  'a medium is in its drive': (machine) => ({
    options: { ...machine.options, ide2: 'local:iso/rescue.iso,media=cdrom' },
  }),
  'its config was edited': ({ talos }) => ({ talos: talos.reach === 'secured' ? { ...talos, config: '' } : talos }),
  'it was switched off': () => ({ status: 'stopped', talos: { reach: 'off' } }),
  'it does not answer': () => ({ talos: { reach: 'silent', reason: 'no answer' } }),
  'it is cordoned': ({ node }) =>
    node === undefined
      ? {}
      : { node: { ...node, unschedulable: true, annotations: { ...node.annotations, 'ichor.dev/cordoned': 'true' } } },
  'its node was deleted': () => ({ node: undefined }),
  'it is gone': () => undefined,
} as const satisfies Record<string, (machine: ObservedMachine) => Change | undefined>

type Change = Partial<Omit<ObservedMachine, 'node'>> & { readonly node?: ObservedMachine['node'] | undefined }

export type Mishap = keyof typeof mishaps

/** The world after it happened to that machine; etcd and Kubernetes are seen as far as control planes still answer. */
export function afterMishap(observed: Observed, name: string, mishap: Mishap): Observed {
  const machines = observed.machines.flatMap((machine) => {
    if (machine.name !== name) return [machine]
    const change = mishaps[mishap](machine)
    return change === undefined ? [] : [changed(machine, change)]
  })
  const answering = new Set(
    machines
      .filter(({ talos, mark }) => talos.reach === 'secured' && mark.role === 'controlplane')
      .map((machine) => machine.name),
  )
  const { etcd, kubernetes, ...rest } = observed
  const healthy = (etcd?.healthy ?? []).filter((id) => answering.has(id))
  return {
    ...rest,
    machines,
    ...(etcd === undefined || answering.size === 0 ? {} : { etcd: { ...etcd, healthy } }),
    ...(kubernetes === undefined || answering.size === 0 ? {} : { kubernetes: nodesAfter(kubernetes, name, mishap) }),
  }
}

function changed(machine: ObservedMachine, change: Change): ObservedMachine {
  const { node, ...rest } = { ...machine, ...change }
  return node === undefined ? rest : { ...rest, node }
}

function nodesAfter({ nodes, ...kubernetes }: ObservedKubernetes, name: string, mishap: Mishap): ObservedKubernetes {
  if (mishap === 'its node was deleted') return { ...kubernetes, nodes: nodes.filter((node) => node.name !== name) }
  if (mishap !== 'it is gone') return { ...kubernetes, nodes }
  return { ...kubernetes, nodes: nodes.map((node) => (node.name === name ? { ...node, ready: false } : node)) }
}
