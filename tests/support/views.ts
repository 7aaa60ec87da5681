import fc from 'fast-check'
import { type Seen, seen, unseen } from '../../src/cluster/seen.js'
import type { Desired } from '../../src/desired/desired.js'
import type { Observed, ObservedEtcd, ObservedKubernetes, ObservedMachine } from '../../src/observe/observed.js'
import { anInventory } from './inventories.js'
import { aForeignVm, aWorld, carriedOut, planOf, specFor } from './worlds.js'

export const hosts = ['pve1', 'pve2', 'pve3']

interface Cluster {
  readonly spec: (observed: Observed) => Desired
  readonly made: Observed
}

/** Clusters with two workers by the number of their control planes, made as their inventories say. */
export const clusters = { 1: await aCluster(1), 3: await aCluster(3), 5: await aCluster(5) }

async function aCluster(controlPlanes: number): Promise<Cluster> {
  const spec = specFor(await anInventory({ controlPlanes, workers: 2, hosts }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  const guests = made.machines.map(({ vmid, host, name }) => aForeignVm(vmid, host, name))
  return { spec, made: { ...made, proxmox: { ...made.proxmox, guests } } }
}

/** What can be unknown of a machine: nothing, its config, everything inside it, or its VM, whose host may be well. */
const blindness = ['nothing', 'nothing', 'nothing', 'config', 'silent', 'unread'] as const
type Blindness = (typeof blindness)[number]

/** Every part is seen or not, whatever the others are. */
export const views = fc.record({
  controlPlanes: fc.constantFrom(1, 3, 5),
  isEtcdSeen: fc.boolean(),
  isKubernetesSeen: fc.boolean(),
  unreadHosts: fc.subarray(hosts, { maxLength: 2 }),
  unreadStorages: fc.subarray(hosts),
  isRemembered: fc.boolean(),
  machines: fc.array(fc.constantFrom(...blindness), { minLength: 7, maxLength: 7 }),
})
export type View = typeof views extends fc.Arbitrary<infer V> ? V : never

/** The same cluster, as somebody sees it from whom that much is hidden. */
export function through(view: View, made = clusters[view.controlPlanes].made): Observed {
  const all = made.machines.map((machine, index) => blinded(machine, view, view.machines[index] ?? 'nothing'))
  const machines = all.flatMap(({ machine }) => machine ?? [])
  const answering = new Set(machines.filter(isAnswering).map(({ name }) => name))
  return {
    ...made,
    machines,
    unverified: all.flatMap(({ away }) => away ?? []),
    secrets: { ...made.secrets, bootstrapped: view.isRemembered },
    etcd: etcdThrough(made.etcd, answering, view.isEtcdSeen),
    kubernetes: view.isKubernetesSeen && answering.size > 0 ? made.kubernetes : noKubernetes,
    proxmox: {
      ...made.proxmox,
      unreadHosts: view.unreadHosts.map((host) => ({ host, why: `${host} does not answer` })),
      contents: hosts.map((host) => ({
        host,
        storage: 'local',
        content: 'import',
        volumes: view.unreadStorages.includes(host) ? unseen(`${host} does not answer`) : seen([]),
      })),
    },
  }
}

export const noKubernetes: Seen<ObservedKubernetes | undefined> = unseen('no control plane answers')

function isAnswering({ mark, talos }: ObservedMachine): boolean {
  return mark.role === 'controlplane' && talos.reach === 'secured'
}

function blinded(machine: ObservedMachine, view: View, what: Blindness) {
  const { name, host, vmid } = machine
  if (what === 'unread' || view.unreadHosts.includes(host)) {
    const text = `VM ${vmid} is on ${host}, which does not answer.`
    return { away: { name, host, vmid, because: 'away' as const, holds: name, text } }
  }
  const { node, talos, ...rest } = machine
  return {
    machine: {
      ...rest,
      talos: blindedTalos(talos, what),
      ...(node === undefined || !view.isKubernetesSeen ? {} : { node }),
    },
  }
}

export function blindedTalos(talos: ObservedMachine['talos'], what: Blindness): ObservedMachine['talos'] {
  if (what === 'silent') return { reach: 'silent', reason: 'no answer' }
  return what === 'config' && talos.reach === 'secured' ? { ...talos, config: unseen('no answer') } : talos
}

/** Members whose machines answer are well; where none answers, nothing is seen. */
function etcdThrough(
  etcd: Observed['etcd'],
  answering: ReadonlySet<string>,
  isSeen: boolean,
): Seen<ObservedEtcd | undefined> {
  if (!isSeen || answering.size === 0 || !etcd.seen || etcd.value === undefined) return unseen('nobody answers')
  const healthy = etcd.value.healthy.filter((id) => answering.has(id))
  return seen({ ...etcd.value, healthy, owners: Object.fromEntries(healthy.map((id) => [id, id])) })
}
