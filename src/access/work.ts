import type { AccessFacts, AccessInventory } from './access-inventory.js'
import { type Places, usesDrives } from './places.js'

/** One kind of work: the steps that do it, its paths, and the privileges it needs there. */
export interface Work {
  /** In words, for the user: `create machines`. */
  readonly work: string
  /** Step kinds; empty for work without a step. */
  readonly steps: readonly string[]
  readonly at: keyof Places
  readonly privileges: readonly string[]
  /** Replaces `privileges` on that major version and later. */
  readonly since?: { readonly major: number; readonly privileges: readonly string[] }
  /** Only if the inventory needs it. */
  readonly when?: (inventory: AccessInventory, facts: AccessFacts) => boolean
  /** Too broad to grant: only checked. */
  readonly isOnlyChecked?: boolean
  /** An alternative with the same effect. */
  readonly or?: { readonly path: string; readonly privileges: readonly string[] }
}

const observing = ['claim-machine', 'fill-machine', 'reconfigure-vm', 'delete-machine']

const guestPrivileges = [
  'VM.Allocate',
  'VM.Audit',
  'VM.Config.CDROM',
  'VM.Config.CPU',
  'VM.Config.Disk',
  'VM.Config.HWType',
  'VM.Config.Memory',
  'VM.Config.Network',
  'VM.Config.Options',
  'VM.PowerMgmt',
]

const agentPrivileges = {
  privileges: ['VM.Monitor'],
  since: { major: 9, privileges: ['VM.GuestAgent.Audit'] },
}

/**
 * Everything that a cluster needs on Proxmox in its life, by any command: what changes by a command is granted from the
 * beginning. What the inventory does not need is not granted, nor what needs Sys.Modify on `/`: an administrator does that with `ichor access`.
 */
export const lifecycle: readonly Work[] = [
  { work: 'see the machines', steps: observing, at: 'pool', privileges: ['VM.Audit'] },
  { work: 'hold the lease', steps: observing, at: 'pool', privileges: ['Pool.Audit', 'Pool.Allocate'] },
  {
    work: 'create machines',
    steps: ['claim-machine'],
    at: 'pool',
    privileges: [
      'VM.Allocate',
      'VM.Config.CPU',
      'VM.Config.HWType',
      'VM.Config.Memory',
      'VM.Config.Network',
      'VM.Config.Options',
    ],
  },
  {
    work: 'give machines their disks and medium',
    steps: ['fill-machine', 'resize-disk', 'drop-seed'],
    at: 'pool',
    privileges: ['VM.Config.Disk', 'VM.Config.Options'],
  },
  {
    work: 'give machines a CD drive',
    steps: ['claim-machine', 'fill-machine', 'drop-seed'],
    at: 'pool',
    privileges: ['VM.Config.CDROM'],
    when: usesDrives,
  },
  {
    work: 'change machines',
    steps: [
      'reconfigure-vm',
      'unprotect-vm',
      'mark-survivor',
      'restart-survivor',
      'retire-control-plane',
      'recover-etcd',
    ],
    at: 'pool',
    privileges: [
      'VM.Config.CPU',
      'VM.Config.Disk',
      'VM.Config.HWType',
      'VM.Config.Memory',
      'VM.Config.Network',
      'VM.Config.Options',
    ],
  },
  {
    work: 'start and stop machines',
    steps: [
      'start-machine',
      'revive-machine',
      'stop-machine',
      'restart-vm',
      'retire-control-plane',
      'shut-down-machine',
    ],
    at: 'pool',
    privileges: ['VM.PowerMgmt'],
  },
  { work: 'delete machines', steps: ['delete-machine', 'remove-pool'], at: 'pool', privileges: ['VM.Allocate'] },
  {
    work: 'move machines to another host',
    steps: ['check-evacuation', 'migrate-machine'],
    at: 'ownPool',
    privileges: ['VM.Migrate'],
    when: hasOtherHosts,
  },
  { work: 'create guests', steps: ['make-guest'], at: 'guests', privileges: guestPrivileges },
  {
    work: 'start and shut down guests',
    steps: ['start-guest', 'shut-down-guest'],
    at: 'guests',
    privileges: ['VM.PowerMgmt', 'VM.Audit'],
  },
  {
    work: 'create a guest without a vmid',
    steps: ['make-guest'],
    at: 'anyVm',
    privileges: guestPrivileges,
    isOnlyChecked: true,
  },
  { work: 'boot guests from their ISO', steps: ['make-guest'], at: 'guestMedia', privileges: ['Datastore.Audit'] },
  {
    work: 'clone templates',
    steps: [],
    at: 'pool',
    privileges: ['VM.Clone', 'VM.Allocate'],
    when: ({ settings }) => settings.talos.boot === 'template',
  },
  {
    work: 'read addresses from guest agents',
    // The inventory has no address of a machine that leaves.
    steps: ['learn-address', 'deliver-config', 'reach-machine', 'drain-node', 'remove-etcd-member', 'reset-machine'],
    at: 'ownPool',
    ...agentPrivileges,
    when: ({ settings }) => settings.network.agent,
  },
  {
    work: 'read addresses from guest agents in drills',
    steps: ['deliver-config'],
    at: 'drillPool',
    ...agentPrivileges,
    when: ({ settings: { network, talos } }) => network.agent && talos.delivery === 'apply',
  },
  {
    work: 'make disks',
    steps: ['fill-machine', 'resize-disk'],
    at: 'disks',
    privileges: ['Datastore.AllocateSpace', 'Datastore.Audit'],
  },
  {
    work: 'keep Talos images',
    steps: ['fetch-image', 'fill-machine'],
    at: 'images',
    privileges: ['Datastore.Allocate', 'Datastore.AllocateTemplate', 'Datastore.Audit'],
  },
  {
    work: 'let hosts download images',
    steps: ['fetch-image'],
    at: 'hosts',
    privileges: ['Sys.AccessNetwork'],
    or: { path: '/', privileges: ['Sys.Audit', 'Sys.Modify'] },
  },
  {
    work: 'upload and delete config media',
    steps: ['fill-machine', 'drop-seed', 'remove-seed'],
    at: 'seeds',
    privileges: ['Datastore.Allocate', 'Datastore.AllocateTemplate', 'Datastore.Audit'],
  },
  { work: 'use bridges', steps: ['claim-machine', 'reconfigure-vm'], at: 'bridges', privileges: ['SDN.Use'] },
  { work: 'read the capacity of hosts', steps: ['claim-machine'], at: 'hosts', privileges: ['Sys.Audit'] },
  { work: 'see the cluster and its quorum', steps: ['claim-machine'], at: 'datacenter', privileges: ['Sys.Audit'] },
  {
    work: 'pass PCI devices through',
    steps: ['claim-machine', 'make-guest'],
    at: 'devices',
    privileges: ['Mapping.Use'],
  },
  { work: 'use a CPU model of your own', steps: ['claim-machine'], at: 'cpuModels', privileges: ['Mapping.Use'] },
  {
    work: 'manage machines with Proxmox HA',
    steps: ['drop-ha-rules', 'set-high-availability', 'remove-high-availability', 'reset-machine'],
    at: 'datacenter',
    privileges: ['Sys.Audit', 'Sys.Console'],
    when: ({ settings }) => settings.placement.ha !== undefined,
  },
  {
    work: 'set the firewall of machines',
    steps: ['set-vm-firewall', 'undo-vm-firewall', 'remove-vm-firewall'],
    at: 'pool',
    privileges: ['VM.Audit', 'VM.Config.Network', 'VM.Config.Options'],
    when: ({ settings }) => settings.firewall?.enabled === true && settings.firewall.proxmox,
  },
  {
    work: 'see what an administrator has set for the cluster',
    steps: [],
    at: 'datacenter',
    privileges: ['Sys.Audit'],
  },
]

/** `evacuate` moves machines to another host. */
function hasOtherHosts({ settings }: AccessInventory, { hosts }: AccessFacts): boolean {
  const { target_nodes: named } = settings.proxmox
  return (named.length === 0 ? hosts.length : named.length) > 1
}
