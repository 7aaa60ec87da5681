interface Family {
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly labels: readonly string[]
}

const ofMachine = ['cluster', 'machine'] as const
const ofHost = ['cluster', 'host'] as const

/**
 * Everything that is measured, without the prefix `ichor_`. Times are timestamps, so that a page that is no longer
 * written shows as old. No label has values without a limit: no subject of a finding, ID of a run, or text of an error.
 */
export const families = {
  build_info: { type: 'gauge', help: 'The version of ichor that measured.', labels: ['version'] },
  pass_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the cluster was last looked at as a whole.',
    labels: ['cluster'],
  },
  source_up: {
    type: 'gauge',
    help: 'Whether a source answered: proxmox, talos, etcd, kubernetes, backup.',
    labels: ['cluster', 'source'],
  },
  findings: {
    type: 'gauge',
    help: 'Findings of a code, as in ichor doctor.',
    labels: ['cluster', 'code', 'severity'],
  },
  plan_refused: { type: 'gauge', help: 'Whether ichor up would refuse to do anything.', labels: ['cluster'] },
  plan_steps: {
    type: 'gauge',
    help: 'Steps of the plan that change something, as in ichor plan.',
    labels: ['cluster', 'disruptive'],
  },
  plan_pending_since_timestamp_seconds: {
    type: 'gauge',
    help: 'Since when something differs from the inventory; 0 if nothing does. Only from ichor watch.',
    labels: ['cluster'],
  },
  machine_info: {
    type: 'gauge',
    help: 'A machine, where it runs, and the versions that it runs.',
    labels: [...ofMachine, 'role', 'host', 'vmid', 'talos_version', 'kubernetes_version'],
  },
  machine_ready: { type: 'gauge', help: 'Whether Talos responds and its node is Ready.', labels: ofMachine },
  machine_cpu_usage_ratio: { type: 'gauge', help: 'How much of its vCPUs a machine uses.', labels: ofMachine },
  machine_network_receive_bytes_total: {
    type: 'counter',
    help: 'Bytes that a machine has received since its start.',
    labels: ofMachine,
  },
  machine_network_transmit_bytes_total: {
    type: 'counter',
    help: 'Bytes that a machine has sent since its start.',
    labels: ofMachine,
  },
  machine_disk_read_bytes_total: {
    type: 'counter',
    help: 'Bytes that a machine has read from its disks since its start.',
    labels: ofMachine,
  },
  machine_disk_written_bytes_total: {
    type: 'counter',
    help: 'Bytes that a machine has written to its disks since its start.',
    labels: ofMachine,
  },
  host_up: { type: 'gauge', help: 'Whether a Proxmox host is online.', labels: ofHost },
  host_cpu_usage_ratio: { type: 'gauge', help: 'How much of its CPUs a host uses.', labels: ofHost },
  host_io_wait_ratio: { type: 'gauge', help: 'How much CPU time of a host waits for disks.', labels: ofHost },
  host_memory_bytes: { type: 'gauge', help: 'Memory of a host.', labels: ofHost },
  host_memory_used_bytes: { type: 'gauge', help: 'Memory of a host that is in use.', labels: ofHost },
  host_network_receive_bytes_total: {
    type: 'counter',
    help: 'Bytes that the network cards of a host have received since its start.',
    labels: ofHost,
  },
  host_network_transmit_bytes_total: {
    type: 'counter',
    help: 'Bytes that the network cards of a host have sent since its start.',
    labels: ofHost,
  },
  host_loss_survivable: {
    type: 'gauge',
    help: 'Whether the majority of etcd, the Kubernetes API, and the room for all machines survive the loss of a host.',
    labels: [...ofHost, 'aspect'],
  },
  storage_used_ratio: {
    type: 'gauge',
    help: 'How full a storage is; a thin pool as data and metadata.',
    labels: [...ofHost, 'storage', 'kind'],
  },
  etcd_db_size_bytes: { type: 'gauge', help: 'Size of the etcd database of a member.', labels: ofMachine },
  etcd_db_quota_bytes: { type: 'gauge', help: 'Size at which etcd stops writing.', labels: ofMachine },
  certificate_expiry_timestamp_seconds: {
    type: 'gauge',
    help: 'When a certificate or token expires.',
    labels: ['cluster', 'name'],
  },
  backup_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the newest usable etcd snapshot was taken, and when a drill last passed; 0 if never.',
    labels: ['cluster', 'kind'],
  },
} as const satisfies Readonly<Record<string, Family>>

export type FamilyName = keyof typeof families

/** One value: every label of its family is given. */
export type Sample = {
  [Name in FamilyName]: {
    readonly name: Name
    readonly labels: Readonly<Record<(typeof families)[Name]['labels'][number], string>>
    readonly value: number
  }
}[FamilyName]
