import type { Meaning } from './meaning.js'

const retried = 'It was tried again; if it stays, look for the task that holds it in the task list of the host.'

/** Known texts of Proxmox, the first that fits counts. Status codes tell little: nearly everything is a 500. */
export const meanings: readonly Meaning[] = [
  {
    kind: 'vmid-taken',
    says: /unable to create VM (\d+)[: -]+(?:VM \d+ already exists on node '([^']+)'|config file already exists)/,
    means: ([, vmid, host]) => `VMID ${vmid} is taken${host === undefined ? '' : ` by a guest on ${host}`}.`,
    fix: 'Give the machine another vmid, or move the range in vm_ids past it. If nobody made that guest, a killed worker left it: as root on its host, "qm unlock VMID" and "qm destroy VMID" take it away.',
  },
  {
    kind: 'vmid-taken',
    says: /atomic file '[^']*?(\d+)\.conf' failed: File exists|^VM (\d+) already exists/m,
    means: ([, one, other]) => `VMID ${one ?? other} was taken by somebody else in the meantime.`,
    fix: 'Run the command again: it looks first, and then takes a free VMID.',
  },
  {
    kind: 'changed',
    says: /checksum mismatch \(file change by other user\?\)|detected modified configuration/,
    means: () => 'Somebody else changed this configuration between our look and our write.',
    fix: 'Run the command again: it reads the new state first. Nothing was overwritten.',
  },
  {
    kind: 'checksum',
    says: /checksum mismatch: got '([^']+)' != expect '([^']+)'/,
    means: ([, got, expected]) => `The file has the checksum ${got}, and ${expected} was expected.`,
    fix: 'Check the checksum in the inventory, and delete the file from the storage so that it is fetched again.',
  },
  {
    kind: 'no-quorum',
    says: /no quorum|cluster not ready|unable to open file '\/etc\/pve\/[^']*' - Permission denied/,
    means: () => 'The Proxmox cluster has lost its quorum and takes no changes.',
    fix: 'Bring enough hosts back (pvecm status shows which are missing), then run the command again.',
    passes: true,
  },
  {
    kind: 'locked',
    says: /VM is locked \(([^)]+)\)/,
    means: ([, lock]) => `The VM is locked by a ${lock} that is running or was killed.`,
    fix: 'Wait for that task to end. If none is running, "qm unlock VMID" as root on its host removes the lock.',
    passes: true,
  },
  {
    kind: 'busy',
    says: /can't lock file '([^']+)' - got timeout|cfs-lock '([^']+)' error: got lock request timeout/,
    means: ([, file, lock]) => `Proxmox waited in vain for ${file ?? lock}: another task works there.`,
    fix: retried,
    passes: true,
  },
  {
    kind: 'busy',
    says: /start(?:ing)? worker failed|got no worker upid|-locked command timed out/,
    means: () => 'The host is too busy to start a worker for this.',
    fix: retried,
    passes: true,
  },
  {
    kind: 'agent',
    says: /No QEMU guest agent configured|QEMU guest agent is not running|qga command '[^']+' failed/,
    means: () => 'The guest agent does not answer.',
    fix: 'It needs agent: true and the siderolabs/qemu-guest-agent extension, and answers only when the system is up.',
    passes: true,
  },
  {
    kind: 'busy',
    says: /qmp command '([^']+)' failed - got timeout/,
    means: ([, command]) => `The running VM did not answer "${command}" in time.`,
    fix: retried,
    passes: true,
  },
  {
    kind: 'storage-full',
    says: /not enough free space|No space left on device|out of space|insufficient free space/,
    means: () => 'The storage is full.',
    fix: 'Make room on it, or name another one in proxmox.datastore or proxmox.image_datastore.',
  },
  {
    kind: 'storage-full',
    says: /lvcreate '([^']+)' error/,
    means: ([, volume]) => `LVM could not make the volume ${volume}: most often the volume group is full.`,
    fix: 'Look at the free space with "vgs" and "lvs" on the host, or name another storage in proxmox.datastore.',
  },
  {
    kind: 'storage-unfit',
    says: /storage '([^']+)' (?:is not available on node '([^']+)'|is disabled|does not support '?([^' ]+)'?)/,
    means: ([, storage, host, content]) =>
      `Storage ${storage} cannot be used here${host ? `: ${host} does not have it` : content ? `: it does not allow ${content}` : ': it is disabled'}.`,
    fix: 'Choose another storage in the inventory, or allow the content on it with --enable-content.',
  },
  {
    kind: 'storage-unfit',
    says: /storage '([^']+)' is not configured for content-type '([^']+)'/,
    means: ([, storage, content]) => `Storage ${storage} does not allow ${content}.`,
    fix: 'Choose another storage in the inventory, or allow the content on it with --enable-content.',
  },
  {
    kind: 'storage-unfit',
    says: /Linked clone feature is not supported for '([^']+)'/,
    means: ([, volume]) => `The storage of ${volume} knows no linked clones.`,
    fix: 'Ask for full clones, or keep the template on LVM-thin, ZFS, RBD or as qcow2.',
  },
  {
    kind: 'storage-unfit',
    says: /storage '([^']+)' does not exist|No such storage/,
    means: ([, storage]) => `There is no storage ${storage ?? 'of that name'}.`,
    fix: 'Correct proxmox.datastore or proxmox.image_datastore: "pvesm status" lists what there is.',
  },
  {
    kind: 'storage-unfit',
    says: /has wrong type '([^']+)' - needs to be 'images' or 'import'|can't upload to storage type '([^']+)'/,
    means: ([, type, storage]) =>
      type === undefined
        ? `Nothing can be uploaded to a ${storage} storage.`
        : `A disk cannot be made from ${type} content.`,
    fix: 'Set proxmox.image_datastore to a directory-like storage that allows import content.',
  },
  {
    kind: 'protected',
    says: /protection mode enabled/,
    means: () => 'The VM is protected against removal in Proxmox.',
    fix: 'Switch "Protection" off in its options if it really shall go, then run the command again.',
  },
  {
    kind: 'absent',
    says: /not HA managed/,
    means: () => 'High availability does not manage this VM.',
    fix: 'Nothing has to be done.',
  },
  {
    kind: 'high-availability',
    says: /used in HA resources|in error state, must be disabled/,
    means: () => 'High availability holds this VM.',
    fix: 'Set its HA state to "disabled" in Datacenter > HA, repair it there, then run the command again.',
  },
  {
    kind: 'running',
    says: /VM (\d+) is running - destroy failed|if VM is running|VM \d+ already running/,
    means: () => 'The VM is running, and this needs it switched off.',
    fix: 'Run the command again: it stops the VM first.',
  },
  {
    kind: 'not-running',
    says: /VM (\d+) (?:is )?not running/,
    means: ([, vmid]) => `VM ${vmid} is not running.`,
    fix: 'Start it, or run the command again.',
  },
  {
    kind: 'template',
    says: /if it's a template|template to a template/,
    means: () => 'The VM is a template, and a template can neither start nor change like this.',
    fix: 'Clone it, or choose another VMID for the machine.',
  },
  {
    kind: 'base-in-use',
    says: /base volume '([^']+)' is still in use by linked clone/,
    means: ([, volume]) => `${volume} is the base of linked clones that still exist.`,
    fix: 'Delete the machines that were cloned from this template first.',
  },
  {
    kind: 'not-empty',
    says: /(pool|IPSet|Security group) '([^']+)' is not empty/,
    means: ([, what, name]) => `The ${what} ${name} is not empty.`,
    fix: 'Something that is not of this cluster is in it: it is left as it is.',
  },
  {
    kind: 'not-hotpluggable',
    says: /hotplug problem - (.*)/,
    means: () => 'The running VM cannot take this change; it waits until the VM is stopped and started.',
    fix: 'Run the command again: it plans the restart.',
  },
  {
    kind: 'timed-out',
    says: /VM quit\/powerdown failed/,
    means: () => 'The guest did not shut down in the time it was given.',
    fix: 'Run the command again: Talos answers slowly to a shutdown while it drains.',
  },
  {
    kind: 'invalid',
    says: /shrinking disks is not supported/,
    means: () => 'A disk cannot become smaller.',
    fix: 'Set the disk in the inventory to at least its present size, or replace the machine.',
  },
  {
    kind: 'unknown-call',
    says: /ha groups have (?:not )?been migrated/,
    means: () => 'This Proxmox keeps high availability groups as rules, or not yet.',
    fix: 'Upgrade all hosts of the cluster to the same major version.',
  },
  {
    kind: 'root-only',
    says: /only root can (?:set|pass|use)|Only root (?:may|can)|user != root@pam/i,
    means: () => 'Proxmox lets nobody but root@pam with a password do this, not even a token of root.',
    fix: 'Leave the option out of the inventory, or set it once by hand as root on the host.',
  },
  {
    kind: 'forbidden-tag',
    says: /for modifying tag '([^']+)'/,
    means: ([, tag]) => `The datacentre reserves the tag ${tag}, and the token may not set it.`,
    fix: 'Take the tag out of registered-tags in the datacentre options, or choose another one in tags.',
  },
  {
    kind: 'forbidden',
    says: /Permission check failed(?: \(([^,)]*), ([^)]*)\))?/,
    means: ([, path, privileges]) =>
      path ? `The token lacks ${privileges} on ${path}.` : 'The token lacks a privilege for this.',
    fix: 'Run "ichor access check" to see what it lacks, and "ichor access" as an administrator to grant it.',
  },
  {
    kind: 'start-failed',
    says: /start failed|bridge '([^']+)' does not exist|KVM virtualisation configured, but not available/,
    means: ([, bridge]) => (bridge ? `The host has no bridge ${bridge}.` : 'The VM did not start.'),
    fix: 'Read the task log for the reason, correct the inventory (bridge, cpu_type, devices) and run the command again.',
  },
  {
    kind: 'download',
    says: /download failed|failed to verify file|refusing to override existing file/,
    means: () => 'The host could not download the file.',
    fix: 'Check that the host reaches the URL (name resolution, proxy, certificate), or use a mirror in talos.factory_url.',
  },
  {
    kind: 'worker-died',
    says: /unexpected status|unable to read tail|received interrupt|interrupted by signal|unable to get last line/,
    means: () => 'The worker of this task was killed; how far it came is unknown.',
    fix: 'Run the command again: it looks at what is there and goes on from it.',
  },
  {
    kind: 'no-vm',
    says: /Configuration file '[^']*?(\d+)\.conf' does not exist|unable to find configuration file for VM (\d+)/,
    means: ([, one, other]) => `There is no VM ${one ?? other} on that host.`,
    fix: 'It was moved or deleted in the meantime: run the command again, it looks first.',
  },
  {
    kind: 'no-host',
    says: /hostname lookup '([^']+)' failed|no such cluster node '([^']+)'/,
    means: ([, one, other]) => `There is no host ${one ?? other} in this Proxmox cluster.`,
    fix: 'Correct proxmox.node or proxmox.target_nodes: "pvecm nodes" lists the names.',
  },
  {
    kind: 'absent',
    says: /volume '?([^' ]+)'? does not exist|failed to stat '([^']+)'/,
    means: ([, volume, file]) => `${volume ?? file} is not on the storage.`,
    fix: 'Run the command again: it fetches what is missing.',
  },
  {
    kind: 'exists',
    says: /already (?:exists|defined|a pool member)|Token already exists|already used/,
    means: () => 'It exists already.',
    fix: 'Run the command again: it looks first.',
  },
  {
    kind: 'absent',
    says: /does not exist|unable to find configuration file|no such (?!task|file)|no rule at position/i,
    means: () => 'What the call speaks of is not there.',
    fix: 'It may have been moved or deleted by somebody else: run the command again, it looks first.',
  },
]
