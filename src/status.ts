import type { Desired } from './desired/desired.js'
import type { Observed, ObservedMachine } from './observe/observed.js'
import type { Plan } from './plan/plan.js'

/** The least that `status --json` holds: nothing is renamed, more may be added. */
export interface Status {
  readonly version: 1
  readonly cluster: string
  readonly healthy: boolean
  readonly endpoint: string | null
  readonly talos_version: string
  readonly kubernetes_version: string
  readonly hosts: readonly { name: string; online: boolean; machines: readonly string[] }[]
  readonly machines: readonly MachineStatus[]
  readonly etcd: { members: number; leader: string | null; healthy: boolean }
  readonly addons: readonly AddonStatus[]
  readonly certificates: readonly { name: string; expires: string }[]
  readonly drift: readonly string[]
  readonly notes: readonly string[]
}

export interface AddonStatus {
  readonly name: string
  readonly version: string
  readonly healthy: boolean
  /** Why it is not healthy. */
  readonly reason: string | null
}

export interface MachineStatus {
  readonly name: string
  readonly role: string
  readonly host: string | null
  readonly vmid: number | null
  readonly mac: string
  readonly uuid: string
  readonly address: string | null
  readonly ready: boolean
  readonly state: string
  readonly talos_version: string | null
  readonly kubernetes_version: string | null
}

/** What is, in the words of `status`: the plan tells the drift. */
export function statusOf(
  desired: Desired,
  observed: Observed,
  plan: Plan,
  certificates: Status['certificates'],
): Status {
  const machines = desired.machines.map(({ machine }) => {
    const seen = observed.machines.find(({ name }) => name === machine.name)
    return machineStatus(machine, seen)
  })
  const etcd = etcdStatus(observed)
  const addons = addonStatus(desired, observed)
  return {
    version: 1,
    cluster: desired.cluster.name,
    healthy: machines.every(({ ready }) => ready) && etcd.healthy && addons.every(({ healthy }) => healthy),
    endpoint: desired.cluster.endpoint ?? null,
    talos_version: desired.cluster.talosVersion,
    kubernetes_version: desired.cluster.kubernetesVersion,
    hosts: observed.proxmox.hosts.map(({ name, online }) => ({
      name,
      online,
      machines: observed.machines.filter(({ host }) => host === name).map((machine) => machine.name),
    })),
    machines,
    etcd,
    addons,
    certificates,
    drift: plan.steps.filter(({ changes }) => changes).map(({ title, reason }) => `${title}: ${reason}`),
    notes: plan.notes,
  }
}

/** Those that are there, and those that are still to come. */
function addonStatus({ addons: wanted }: Desired, { kubernetes }: Observed): AddonStatus[] {
  const installed = kubernetes?.addons ?? []
  const absent = wanted.filter(({ name }) => !installed.some((addon) => addon.name === name))
  return [
    ...installed.map(({ name, version, healthy, reason }) => ({ name, version, healthy, reason: reason ?? null })),
    ...absent.map(({ name, version }) => ({ name, version, healthy: false, reason: 'it is not installed yet' })),
  ]
}

function machineStatus(
  { name, role, identity }: Desired['machines'][number]['machine'],
  seen: ObservedMachine | undefined,
): MachineStatus {
  const talos = seen?.talos
  return {
    name,
    role,
    host: seen?.host ?? null,
    vmid: seen?.vmid ?? null,
    mac: identity.mac,
    uuid: identity.uuid,
    address: seen?.address ?? null,
    ready: seen?.node?.ready ?? false,
    state: stateOf(seen),
    talos_version: talos?.reach === 'secured' ? talos.version : null,
    kubernetes_version: seen?.node?.kubeletVersion ?? null,
  }
}

function stateOf(seen: ObservedMachine | undefined): string {
  if (seen === undefined) return 'absent'
  if (seen.status === 'stopped') return 'stopped'
  if (seen.talos.reach !== 'secured') return seen.talos.reach
  return seen.node?.ready ? 'ready' : seen.talos.stage
}

function etcdStatus({ etcd, machines }: Observed): Status['etcd'] {
  if (etcd === undefined) return { members: 0, leader: null, healthy: false }
  const leader = etcd.members.find(({ id }) => id === etcd.leader)
  const named = machines.find(({ name }) => name === leader?.hostname)?.name ?? leader?.hostname
  return {
    members: etcd.members.length,
    leader: named ?? null,
    healthy: etcd.members.length > 0 && etcd.healthy.length === etcd.members.length,
  }
}
