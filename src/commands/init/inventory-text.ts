import { schemaComment } from '../write-schema.js'

/** The input of a new inventory. */
export interface Answers {
  readonly name: string
  readonly endpoint: string
  readonly hosts: readonly string[]
  readonly datastore: string
  readonly bridge: string
  readonly cidr: string
  readonly gateway: string
  readonly vip: string
  readonly controlPlanes: number
  readonly workers: number
  readonly controlPlaneOffset: number
  readonly workerOffset: number
}

/** A start for a new user without a Proxmox at hand. */
export const templateAnswers: Answers = {
  name: 'dev',
  endpoint: 'https://10.0.10.2:8006',
  hosts: [],
  datastore: 'local-lvm',
  bridge: 'vmbr0',
  cidr: '10.0.10.0/24',
  gateway: '10.0.10.1',
  vip: '10.0.10.5',
  controlPlanes: 3,
  workers: 2,
  controlPlaneOffset: 10,
  workerOffset: 20,
}

/** A commented inventory. Text after `#` is a default or an example. */
export function inventoryText(answers: Answers): string {
  const { name, hosts, controlPlanes, workers } = answers
  return `${schemaComment}# Written by ichor init. Editors complete and check this file with the schema above (ichor schema prints it).
# ichor validate checks it, ichor plan shows what would be created, ichor up creates it.
cluster_name: ${name}

# Three control planes survive the loss of one; etcd needs an odd number.
control_plane_count: ${controlPlanes}
worker_count: ${workers}

proxmox:
  endpoint: ${answers.endpoint}
  # The token comes from PROXMOX_VE_API_TOKEN; ichor access creates one with the least privileges.
${hosts.length === 0 ? '  # target_nodes: [pve1, pve2, pve3]   # the hosts to use; default: all' : `  target_nodes: [${hosts.join(', ')}]`}
  datastore: ${answers.datastore}   # disks of the machines
  bridge: ${answers.bridge}

network:
  cidr: ${answers.cidr}
  gateway: ${answers.gateway}
  vip: ${answers.vip}   # the address of the Kubernetes API, shared by the control planes
  control_plane_offset: ${answers.controlPlaneOffset}   # address of the first control plane in cidr
  worker_offset: ${answers.workerOffset}          # address of the first worker
  # dns: [${answers.gateway}]
  # load_balancer: 10.0.10.200-10.0.10.220   # for services of type LoadBalancer, with metallb or cilium

# Size of the machines; a pool of workers can have its own (worker_pools).
sizing:
  control_plane: { cpu: 4, ram: 8GiB, disk: 40GiB }
  worker: { cpu: 4, ram: 8GiB, disk: 60GiB }

addons:
  metrics_server: true
  # cilium: true
  # longhorn: true
`
}
