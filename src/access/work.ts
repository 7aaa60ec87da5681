import type { AccessFacts, AccessInventory } from './access-inventory.js'
import { type Places, usesDrives } from './places.js'

/** One kind of work: its paths, and the privileges it needs there. */
export interface Work {
  /** In words, for the user: `create machines`. */
  readonly work: string
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
  { work: 'see the machines', at: 'pool', privileges: ['VM.Audit'] },
  { work: 'hold the lease', at: 'pool', privileges: ['Pool.Audit', 'Pool.Allocate'] },
  {
    work: 'create machines',
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
    at: 'pool',
    privileges: ['VM.Config.Disk', 'VM.Config.Options'],
  },
  {
    work: 'give machines a CD drive',
    at: 'pool',
    privileges: ['VM.Config.CDROM'],
    when: usesDrives,
  },
  {
    work: 'change machines',
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
    at: 'pool',
    privileges: ['VM.PowerMgmt'],
  },
  { work: 'delete machines', at: 'pool', privileges: ['VM.Allocate'] },
  {
    work: 'move machines to another host',
    at: 'ownPool',
    privileges: ['VM.Migrate'],
    when: hasOtherHosts,
  },
  { work: 'create guests', at: 'guests', privileges: guestPrivileges },
  {
    work: 'start and shut down guests',
    at: 'guests',
    privileges: ['VM.PowerMgmt', 'VM.Audit'],
  },
  {
    work: 'create a guest without a vmid',
    at: 'anyVm',
    privileges: guestPrivileges,
    isOnlyChecked: true,
  },
  { work: 'boot guests from their ISO', at: 'guestMedia', privileges: ['Datastore.Audit'] },
  {
    work: 'clone templates',
    at: 'pool',
    privileges: ['VM.Clone', 'VM.Allocate'],
    when: ({ settings }) => settings.talos.boot === 'template',
  },
  {
    work: 'read addresses from guest agents',
    at: 'ownPool',
    ...agentPrivileges,
    when: ({ settings }) => settings.network.agent,
  },
  {
    work: 'read addresses from guest agents in drills',
    at: 'drillPool',
    ...agentPrivileges,
    when: ({ settings: { network, talos } }) => network.agent && talos.delivery === 'apply',
  },
  {
    work: 'make disks',
    at: 'disks',
    privileges: ['Datastore.AllocateSpace', 'Datastore.Audit'],
  },
  {
    work: 'keep Talos images',
    at: 'images',
    privileges: ['Datastore.Allocate', 'Datastore.AllocateTemplate', 'Datastore.Audit'],
  },
  {
    work: 'let hosts download images',
    at: 'hosts',
    privileges: ['Sys.AccessNetwork'],
    or: { path: '/', privileges: ['Sys.Audit', 'Sys.Modify'] },
  },
  {
    work: 'upload and delete config media',
    at: 'seeds',
    privileges: ['Datastore.Allocate', 'Datastore.AllocateTemplate', 'Datastore.Audit'],
  },
  { work: 'use bridges', at: 'bridges', privileges: ['SDN.Use'] },
  { work: 'read the capacity of hosts', at: 'hosts', privileges: ['Sys.Audit'] },
  { work: 'see the cluster and its quorum', at: 'datacenter', privileges: ['Sys.Audit'] },
  {
    work: 'pass PCI devices through',
    at: 'devices',
    privileges: ['Mapping.Use'],
  },
  { work: 'use a CPU model of your own', at: 'cpuModels', privileges: ['Mapping.Use'] },
  {
    work: 'manage machines with Proxmox HA',
    at: 'datacenter',
    privileges: ['Sys.Audit', 'Sys.Console'],
    when: ({ settings }) => settings.placement.ha !== undefined,
  },
  {
    work: 'set the firewall of machines',
    at: 'pool',
    privileges: ['VM.Audit', 'VM.Config.Network', 'VM.Config.Options'],
    when: ({ settings }) => settings.firewall?.enabled === true && settings.firewall.proxmox,
  },
  {
    work: 'see what an administrator has set for the cluster',
    at: 'datacenter',
    privileges: ['Sys.Audit'],
  },
]

/** `evacuate` moves machines to another host. */
function hasOtherHosts({ settings }: AccessInventory, { hosts }: AccessFacts): boolean {
  const { target_nodes: named } = settings.proxmox
  return (named.length === 0 ? hosts.length : named.length) > 1
}
