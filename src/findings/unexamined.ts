import type { Seen } from '../cluster/seen.js'
import type { Examined, ExaminedHost, ExaminedMachine } from '../examine/examined.js'
import type { ExaminedKubernetes } from '../examine/examined-kubernetes.js'
import type { Facts } from './facts.js'
import type { Unknown } from './finding.js'

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

/** What a doctor asked and did not see. Only those who examine get it. */
export function unexamined({ examined }: Facts): Unknown[] {
  if (examined === undefined) return []
  const { hosts, machines, agents, kubernetes, ...others } = examined
  return [
    ...hosts.flatMap((host) => unseenParts(host, ofHost, host.name)),
    ...unseenOf('the load of hosts and VMs', others.load),
    ...unseenOf('the storages', others.storages),
    ...unseenOf('the lease', others.lease),
    ...unseenOf('Proxmox HA', others.ha),
    ...agents.flatMap(({ name, answers }) => unseenOf(`the guest agent of ${name}`, answers)),
    ...machines.flatMap(unseenInMachine),
    ...(kubernetes === undefined ? [] : unseenParts(kubernetes, ofKubernetes)),
  ]
}

function unseenInMachine({ controlPlane, ...machine }: Examined['machines'][number]): Unknown[] {
  const own = unseenParts(machine, ofMachine, machine.name)
  return controlPlane === undefined ? own : [...own, ...unseenParts(controlPlane, ofControlPlane, machine.name)]
}

function unseenParts<T extends object>(parts: T, labels: Partial<Record<keyof T, string>>, name = ''): Unknown[] {
  return Object.entries(labels).flatMap(([key, label]) =>
    unseenOf(`${label} ${name}`.trim(), parts[key as keyof T] as Seen<unknown>),
  )
}

function unseenOf(what: string, part: Seen<unknown> | undefined): Unknown[] {
  return part === undefined || part.seen ? [] : [{ what, why: part.why }]
}
