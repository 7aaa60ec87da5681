import type { Seen } from '../cluster/seen.js'
import type { ExaminedHost, ExaminedMachine } from '../examine/examined.js'
import type { ExaminedKubernetes } from '../examine/examined-kubernetes.js'
import type { Facts } from './facts.js'
import type { Unknown } from './finding.js'
import { unseenOf } from './unobserved.js'

/** What a doctor asked and did not see: only those who examine get it. */
type Parts<T> = { readonly [Name in keyof T as T[Name] extends Seen<unknown> ? Name : never]: string }

const ofHost: Parts<ExaminedHost> = {
  status: 'the memory of host',
  clock: 'the clock of host',
  thinPools: 'the thin pools of host',
  certificates: 'the certificates of host',
}
const ofMachine: Parts<ExaminedMachine> = {
  platform: 'the platform of',
  extensions: 'the extensions of',
  services: 'the services of',
  disks: 'the disks of',
  ephemeralSize: 'the volumes of',
  time: 'the clock of',
  diagnostics: 'the diagnostics of',
  udp: 'the network counters of',
}
const ofControlPlane: Parts<NonNullable<ExaminedMachine['controlPlane']>> = {
  discovered: 'the discovered machines of',
  addresses: 'the addresses of',
  etcd: 'the etcd of',
  slowWrites: 'the log of the etcd of',
}
const ofKubernetes: Parts<ExaminedKubernetes> = {
  requests: 'certificate requests',
  budgets: 'disruption budgets',
  webhooks: 'webhooks',
  attachments: 'attached volumes',
  volumes: 'volumes',
  drivers: 'CSI drivers',
  daemonSets: 'daemon sets',
  deployments: 'deployments',
  components: 'the pods of the control plane',
  cilium: 'the settings of Cilium',
  addonJobs: 'the jobs of addons',
}

export function unexaminedHosts({ examined }: Facts): Unknown[] {
  return (examined?.hosts ?? []).flatMap((host) => unseenParts(host, ofHost, host.name))
}

export function unexaminedLoad({ examined }: Facts): Unknown[] {
  return unseenOf('the load of hosts and VMs', examined?.load)
}

export function unexaminedStorages({ examined }: Facts): Unknown[] {
  return unseenOf('the storages', examined?.storages)
}

export function unexaminedLease({ examined }: Facts): Unknown[] {
  return unseenOf('the lease', examined?.lease)
}

export function unexaminedHighAvailability({ examined }: Facts): Unknown[] {
  return unseenOf('Proxmox HA', examined?.ha)
}

export function unexaminedAgents({ examined }: Facts): Unknown[] {
  return (examined?.agents ?? []).flatMap(({ name, answers }) => unseenOf(`the guest agent of ${name}`, answers))
}

export function unexaminedMachines({ examined }: Facts): Unknown[] {
  return (examined?.machines ?? []).flatMap((machine) => unseenParts(machine, ofMachine, machine.name))
}

export function unexaminedControlPlanes({ examined }: Facts): Unknown[] {
  return (examined?.machines ?? []).flatMap(({ name, controlPlane }) =>
    controlPlane === undefined ? [] : unseenParts(controlPlane, ofControlPlane, name),
  )
}

export function unexaminedKubernetes({ examined }: Facts): Unknown[] {
  return examined?.kubernetes === undefined ? [] : unseenParts(examined.kubernetes, ofKubernetes)
}

function unseenParts<T extends object>(parts: T, labels: Partial<Record<keyof T, string>>, name = ''): Unknown[] {
  return Object.entries(labels).flatMap(([key, label]) =>
    unseenOf(`${label} ${name}`.trim(), parts[key as keyof T] as Seen<unknown>),
  )
}
