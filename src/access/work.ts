import type { AccessInventory } from './access-inventory.js'
import type { Places } from './places.js'

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
  readonly when?: (inventory: AccessInventory) => boolean
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

/** Everything that ichor does on Proxmox. What the inventory does not need is not granted. */
export const lifecycle: readonly Work[] = [
  { work: 'see the machines', steps: observing, at: 'pool', privileges: ['VM.Audit'] },
  { work: 'hold the lease', steps: observing, at: 'pool', privileges: ['Pool.Audit', 'Pool.Allocate'] },
  {
    work: 'create machines',
    steps: ['claim-machine'],
    at: 'pool',
    privileges: [
      'VM.Allocate',
      'VM.Config.CDROM',
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
    privileges: ['VM.Config.Disk', 'VM.Config.CDROM', 'VM.Config.Options'],
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
    steps: ['start-machine', 'revive-machine', 'stop-machine', 'restart-vm', 'retire-control-plane'],
    at: 'pool',
    privileges: ['VM.PowerMgmt'],
  },
  { work: 'delete machines', steps: ['delete-machine', 'remove-pool'], at: 'pool', privileges: ['VM.Allocate'] },
  {
    work: 'move machines to another host',
    steps: ['check-evacuation', 'migrate-machine'],
    at: 'pool',
    privileges: ['VM.Migrate'],
    when: ({ settings }) => settings.placement.evacuate.length > 0,
  },
  { work: 'create guests', steps: ['make-guest'], at: 'guests', privileges: guestPrivileges },
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
    steps: ['learn-address', 'deliver-config', 'reach-machine'],
    at: 'pool',
    privileges: ['VM.Monitor'],
    since: { major: 9, privileges: ['VM.GuestAgent.Audit'] },
    when: ({ settings: { network, talos } }) =>
      network.agent && (network.mode === 'dhcp' || talos.delivery === 'apply'),
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
  { work: 'see the cluster and its quorum', steps: ['claim-machine'], at: 'datacentre', privileges: ['Sys.Audit'] },
  {
    work: 'hand PCI devices through',
    steps: ['claim-machine', 'make-guest'],
    at: 'devices',
    privileges: ['Mapping.Use'],
  },
  { work: 'use a CPU model of your own', steps: ['claim-machine'], at: 'cpuModels', privileges: ['Mapping.Use'] },
  {
    work: 'set the order at host start (vm.startup)',
    steps: ['claim-machine', 'reconfigure-vm'],
    at: 'datacentre',
    privileges: ['Sys.Modify'],
    when: ({ settings }) =>
      [settings.vm, ...settings.guests.filter(({ create }) => create)].some(({ startup }) => startup !== undefined),
  },
  {
    work: 'keep the backup job of the machines',
    steps: ['set-backup-job', 'remove-backup-job'],
    at: 'datacentre',
    privileges: ['Sys.Modify'],
    when: ({ settings }) => settings.backup.machines !== undefined,
  },
  {
    work: 'have Proxmox HA look after the machines',
    steps: ['drop-ha-rules', 'set-high-availability', 'remove-high-availability', 'reset-machine'],
    at: 'datacentre',
    privileges: ['Sys.Audit', 'Sys.Console'],
    when: ({ settings }) => settings.placement.ha !== undefined,
  },
  {
    work: 'keep security groups and IP sets',
    steps: ['set-firewall-group', 'remove-firewall-groups'],
    at: 'datacentre',
    privileges: ['Sys.Audit', 'Sys.Modify'],
    when: ({ settings }) => settings.firewall?.enabled === true && settings.firewall.proxmox,
  },
  {
    work: 'set the firewall of machines',
    steps: ['set-vm-firewall', 'undo-vm-firewall', 'remove-vm-firewall'],
    at: 'pool',
    privileges: ['VM.Audit', 'VM.Config.Network', 'VM.Config.Options'],
    when: ({ settings }) => settings.firewall?.enabled === true && settings.firewall.proxmox,
  },
  {
    work: 'enable the firewall of the datacentre',
    steps: [
      'prepare-host-firewall',
      'enable-host-firewall',
      'undo-host-firewall',
      'drop-managers',
      'remove-host-firewall',
    ],
    at: 'datacentre',
    privileges: ['Sys.Audit', 'Sys.Modify'],
    when: hasHostFirewall,
  },
  {
    work: 'see which other VMs the firewall of the datacentre filters',
    steps: ['enable-host-firewall'],
    at: 'everyVm',
    privileges: ['VM.Audit'],
    when: hasHostFirewall,
  },
  {
    work: 'store backups of the machines',
    steps: [],
    at: 'backups',
    privileges: ['Datastore.Allocate', 'Datastore.AllocateSpace', 'Datastore.Audit'],
  },
  {
    work: 'back machines up',
    steps: [],
    at: 'pool',
    privileges: ['VM.Backup'],
    when: ({ settings }) => settings.backup.machines !== undefined,
  },
]

function hasHostFirewall({ settings: { firewall } }: AccessInventory): boolean {
  return firewall?.enabled === true && firewall.hosts === true
}
