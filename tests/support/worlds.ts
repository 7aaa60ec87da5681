import { clusterMarkId } from '../../src/cluster/identity.js'
import { GiB } from '../../src/cluster/machine.js'
import { type Seen, seen, unseen } from '../../src/cluster/seen.js'
import type { ClusterSpec } from '../../src/desired/cluster-spec.js'
import type { Desired } from '../../src/desired/desired.js'
import { resolveDesired } from '../../src/desired/resolve-desired.js'
import type { Inventory } from '../../src/inventory/index.js'
import type { Observed, ObservedKubernetes, ObservedMachine } from '../../src/observe/observed.js'
import { plainDigest } from '../../src/plan/digest.js'
import type { Plan, PlannedStep } from '../../src/plan/plan.js'
import type { GuestResource } from '../../src/proxmox/client/port.js'
import { planRound } from '../../src/rounds/plan-round.js'
import { afterwards, planRounds } from '../../src/rounds/plan-rounds.js'
import { aBundle } from '../../src/talos/config/testdata/a-machine.js'

const secrets = { bundle: aBundle(), memory: { bootstrapped: false, sealed: true, values: {} } }
const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }

/** How that inventory specs, whatever is observed. */
export function specFor(inventory: Inventory, change: Partial<ClusterSpec> = {}): (observed: Observed) => Desired {
  const spec: ClusterSpec = { inventory, secrets, patches, addons: [], intent: {}, until: 'healthy', ...change }
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
      contents: [],
      unreadHosts: [],
      intent: [],
      poolExists: true,
      bridges: [],
    },
    machines: [],
    templates: [],
    unverified: [],
    etcd: seen(undefined),
    kubernetes: seen(undefined),
    secrets: { present: true, bootstrapped: false, sealed: true, clusterId: clusterMarkId(secrets.bundle.cluster.id) },
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
export const carriedOut = afterwards

/** The whole plan towards what an inventory wants. */
export function planOf(desire: (observed: Observed) => Desired, observed: Observed): Plan {
  return planRounds({ desire, planRound }, observed, plainDigest)
}

/** `start-machine:dev-cp-1` for the id of a step: enough to tell those of a small cluster apart. */
export function stepName(id: string): string {
  const [kind = '', args = '{}'] = id.split(/\?(.*)/s)
  const given: Record<string, unknown> = JSON.parse(args)
  const subject = given.machine ?? Object.values(given).find((value) => typeof value === 'string')
  return subject === undefined ? kind : `${kind}:${subject}`
}

export function stepNames(steps: readonly Pick<PlannedStep, 'id'>[]): string[] {
  return steps.map(({ id }) => stepName(id))
}

/** What can happen to a machine behind our back. */
export const mishaps = {
  'memory was changed': (machine) => ({ options: { ...machine.options, memory: '1024' } }),
  'tags were removed': ({ options: { tags: _, ...options } }) => ({ options }),
  'an option waits for a restart': () => ({ pending: ['cores'] }),
  'a medium is in its drive': (machine) => ({
    options: { ...machine.options, ide2: 'local:iso/rescue.iso,media=cdrom' },
  }),
  'its config was edited': ({ talos }) => ({
    talos: talos.reach === 'secured' ? { ...talos, config: seen('machine: {}') } : talos,
  }),
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
  const { etcd, kubernetes } = observed
  if (answering.size === 0) {
    const isGone = !machines.some(({ mark }) => mark.role === 'controlplane')
    const none = isGone ? seen(undefined) : unseen('no control plane answers')
    return { ...observed, machines, etcd: none, kubernetes: none }
  }
  return {
    ...observed,
    machines,
    etcd: mapSeen(etcd, ({ healthy, owners, ...rest }) => ({
      ...rest,
      healthy: healthy.filter((id) => answering.has(id)),
      owners: Object.fromEntries(Object.entries(owners).filter(([, owner]) => answering.has(owner))),
    })),
    kubernetes: mapSeen(kubernetes, (found) => nodesAfter(found, name, mishap)),
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

function mapSeen<T>(what: Seen<T | undefined>, change: (value: T) => T): Seen<T | undefined> {
  return what.seen && what.value !== undefined ? seen(change(what.value)) : what
}
