import type { ErrorRule } from './error-rule.js'

const retried = 'The request was retried. If the error persists, check the task list of the host.'

/** Known messages of Proxmox; the first match counts. Status codes mean little: nearly everything is a 500. */
export const errorRules: readonly ErrorRule[] = [
  {
    kind: 'vmid-taken',
    pattern: /unable to create VM (\d+)[: -]+(?:VM \d+ already exists on node '([^']+)'|config file already exists)/,
    message: ([, vmid, host]) => `VMID ${vmid} is in use${host === undefined ? '' : ` by a guest on ${host}`}.`,
    fix: 'Give the machine another vmid, or move the range in vm_ids past it. If that guest was left behind by a killed task, remove it as root on its host: "qm unlock VMID", then "qm destroy VMID".',
  },
  {
    kind: 'vmid-taken',
    pattern: /atomic file '[^']*?(\d+)\.conf' failed: File exists|^VM (\d+) already exists/m,
    message: ([, one, other]) => `VMID ${one ?? other} was taken by another guest in the meantime.`,
    fix: 'Run the command again: it chooses a free VMID.',
  },
  {
    kind: 'changed',
    pattern: /checksum mismatch \(file change by other user\?\)|detected modified configuration/,
    message: () => 'The configuration was changed by another client in the meantime.',
    fix: 'Run the command again: it reads the new state first. Nothing was overwritten.',
  },
  {
    kind: 'checksum',
    pattern: /checksum mismatch: got '([^']+)' != expect '([^']+)'/,
    message: ([, got, expected]) => `The file has the checksum ${got}, and ${expected} was expected.`,
    fix: 'Check the checksum in the inventory, and delete the file from the storage so that it is downloaded again.',
  },
  {
    kind: 'no-quorum',
    pattern: /no quorum|cluster not ready|unable to open file '\/etc\/pve\/[^']*' - Permission denied/,
    message: () => 'The Proxmox cluster has lost its quorum and accepts no changes.',
    fix: 'Bring enough hosts back (pvecm status shows which are missing), then run the command again.',
    isTransient: true,
  },
  {
    kind: 'locked',
    pattern: /VM is locked \(([^)]+)\)/,
    message: ([, lock]) => `The VM is locked by a ${lock} that is running or was killed.`,
    fix: 'Wait for that task to end. If none is running, "qm unlock VMID" as root on its host removes the lock.',
    isTransient: true,
  },
  {
    kind: 'busy',
    pattern: /can't lock file '([^']+)' - got timeout|cfs-lock '([^']+)' error: got lock request timeout/,
    message: ([, file, lock]) => `Proxmox waited without success for ${file ?? lock}: another task works there.`,
    fix: retried,
    isTransient: true,
  },
  {
    kind: 'busy',
    pattern: /start(?:ing)? worker failed|got no worker upid|-locked command timed out/,
    message: () => 'The host is too busy to start a worker for this.',
    fix: retried,
    isTransient: true,
  },
  {
    kind: 'agent',
    pattern: /No QEMU guest agent configured|QEMU guest agent is not running|qga command '[^']+' failed/,
    message: () => 'The guest agent does not answer.',
    fix: 'It needs agent: true and the siderolabs/qemu-guest-agent extension, and responds only when the system is up.',
    isTransient: true,
  },
  {
    kind: 'busy',
    pattern: /qmp command '([^']+)' failed - got timeout/,
    message: ([, command]) => `The running VM did not answer "${command}" in time.`,
    fix: retried,
    isTransient: true,
  },
  {
    kind: 'storage-full',
    pattern: /not enough free space|No space left on device|out of space|insufficient free space/,
    message: () => 'The storage is full.',
    fix: 'Free space on it, or set another one in proxmox.datastore or proxmox.image_datastore.',
  },
  {
    kind: 'storage-full',
    pattern: /lvcreate '([^']+)' error/,
    message: ([, volume]) => `LVM could not create the volume ${volume}: usually the volume group is full.`,
    fix: 'Look at the free space with "vgs" and "lvs" on the host, or name another storage in proxmox.datastore.',
  },
  {
    kind: 'storage-unfit',
    pattern: /storage '([^']+)' (?:is not available on node '([^']+)'|is disabled|does not support '?([^' ]+)'?)/,
    message: ([, storage, host, content]) =>
      `Storage ${storage} cannot be used here${host ? `: ${host} does not have it` : content ? `: it does not allow ${content}` : ': it is disabled'}.`,
    fix: 'Choose another storage in the inventory, or have an administrator run ichor access --enable-content.',
  },
  {
    kind: 'storage-unfit',
    pattern: /storage '([^']+)' is not configured for content-type '([^']+)'/,
    message: ([, storage, content]) => `Storage ${storage} does not allow ${content}.`,
    fix: 'Choose another storage in the inventory, or have an administrator run ichor access --enable-content.',
  },
  {
    kind: 'storage-unfit',
    pattern: /Linked clone feature is not supported for '([^']+)'/,
    message: ([, volume]) => `The storage of ${volume} does not support linked clones.`,
    fix: 'Ask for full clones, or keep the template on LVM-thin, ZFS, RBD or as qcow2.',
  },
  {
    kind: 'storage-unfit',
    pattern: /storage '([^']+)' does not exist|No such storage/,
    message: ([, storage]) => `There is no storage ${storage ?? 'of that name'}.`,
    fix: 'Correct proxmox.datastore or proxmox.image_datastore: "pvesm status" lists what there is.',
  },
  {
    kind: 'storage-unfit',
    pattern: /has wrong type '([^']+)' - needs to be 'images' or 'import'|can't upload to storage type '([^']+)'/,
    message: ([, type, storage]) =>
      type === undefined
        ? `Nothing can be uploaded to a ${storage} storage.`
        : `A disk cannot be created from ${type} content.`,
    fix: 'Set proxmox.image_datastore to a directory-like storage that allows import content.',
  },
  {
    kind: 'protected',
    pattern: /protection mode enabled/,
    message: () => 'The VM is protected against removal in Proxmox.',
    fix: 'Disable "Protection" in its options to allow the deletion, then run the command again.',
  },
  {
    kind: 'absent',
    pattern: /not HA managed/,
    message: () => 'High availability does not manage this VM.',
    fix: 'Nothing has to be done.',
  },
  {
    kind: 'high-availability',
    pattern: /used in HA resources|in error state, must be disabled/,
    message: () => 'High availability holds this VM.',
    fix: 'Set its HA state to "disabled" in Datacenter > HA, repair it there, then run the command again.',
  },
  {
    kind: 'running',
    pattern: /VM (\d+) is running - destroy failed|if VM is running|VM \d+ already running/,
    message: () => 'The VM is running, but must be stopped for this.',
    fix: 'Run the command again: it stops the VM first.',
  },
  {
    kind: 'not-running',
    pattern: /VM (\d+) (?:is )?not running/,
    message: ([, vmid]) => `VM ${vmid} is not running.`,
    fix: 'Start it, or run the command again.',
  },
  {
    kind: 'template',
    pattern: /if it's a template|template to a template/,
    message: () => 'The VM is a template, and a template can neither start nor change like this.',
    fix: 'Clone it, or choose another VMID for the machine.',
  },
  {
    kind: 'base-in-use',
    pattern: /base volume '([^']+)' is still in use by linked clone/,
    message: ([, volume]) => `${volume} is the base of linked clones that still exist.`,
    fix: 'Delete the machines that were cloned from this template first.',
  },
  {
    kind: 'not-empty',
    pattern: /(pool|IPSet|Security group) '([^']+)' is not empty/,
    message: ([, what, name]) => `The ${what} ${name} is not empty.`,
    fix: 'Something that is not of this cluster is in it: it is left as it is.',
  },
  {
    kind: 'not-hotpluggable',
    pattern: /hotplug problem - (.*)/,
    message: () => 'The change cannot be applied to the running VM; it is pending until the VM is stopped and started.',
    fix: 'Run the command again: it plans the restart.',
  },
  {
    kind: 'timed-out',
    pattern: /VM quit\/powerdown failed/,
    message: () => 'The guest did not shut down in the time it was given.',
    fix: 'Run the command again: Talos shuts down slowly while it drains.',
  },
  {
    kind: 'invalid',
    pattern: /shrinking disks is not supported/,
    message: () => 'A disk cannot become smaller.',
    fix: 'Set the disk in the inventory to at least its present size, or replace the machine.',
  },
  {
    kind: 'unknown-call',
    pattern: /ha groups have (?:not )?been migrated/,
    message: () => 'This Proxmox keeps high availability groups as rules, or not yet.',
    fix: 'Upgrade all hosts of the cluster to the same major version.',
  },
  {
    kind: 'root-only',
    pattern: /only root can (?:set|pass|use)|Only root (?:may|can)|user != root@pam/i,
    message: () => 'Proxmox allows only root@pam with a password to do this, not a token of root.',
    fix: 'Remove the option from the inventory, or set it once manually as root on the host.',
  },
  {
    kind: 'forbidden-tag',
    pattern: /for modifying tag '([^']+)'/,
    message: ([, tag]) => `The datacenter reserves the tag ${tag}, and the token may not set it.`,
    fix: 'Remove the tag from registered-tags in the datacenter options, or choose another one in tags.',
  },
  {
    kind: 'forbidden',
    pattern: /Permission check failed(?: \(([^,)]*), ([^)]*)\))?/,
    message: ([, path, privileges]) =>
      path ? `The token lacks ${privileges} on ${path}.` : 'The token lacks a privilege for this.',
    fix: 'Run "ichor access check" to see what it lacks, and "ichor access" as an administrator to grant it.',
  },
  {
    kind: 'start-failed',
    pattern: /start failed|bridge '([^']+)' does not exist|KVM virtualisation configured, but not available/,
    message: ([, bridge]) => (bridge ? `The host has no bridge ${bridge}.` : 'The VM did not start.'),
    fix: 'Read the task log for the reason, correct the inventory (bridge, cpu_type, devices) and run the command again.',
  },
  {
    kind: 'download',
    pattern: /download failed|failed to verify file|refusing to override existing file/,
    message: () => 'The host could not download the file.',
    fix: 'Check that the host reaches the URL (name resolution, proxy, certificate), or use a mirror in talos.factory_url.',
  },
  {
    kind: 'worker-died',
    pattern: /unexpected status|unable to read tail|received interrupt|interrupted by signal|unable to get last line/,
    message: () => 'The task was killed; its result is unknown.',
    fix: 'Run the command again: it reads the current state and continues.',
  },
  {
    kind: 'no-vm',
    pattern: /Configuration file '[^']*?(\d+)\.conf' does not exist|unable to find configuration file for VM (\d+)/,
    message: ([, one, other]) => `There is no VM ${one ?? other} on that host.`,
    fix: 'It was moved or deleted in the meantime: run the command again.',
  },
  {
    kind: 'no-host',
    pattern: /hostname lookup '([^']+)' failed|no such cluster node '([^']+)'/,
    message: ([, one, other]) => `There is no host ${one ?? other} in this Proxmox cluster.`,
    fix: 'Correct proxmox.node or proxmox.target_nodes: "pvecm nodes" lists the names.',
  },
  {
    kind: 'absent',
    pattern: /volume '?([^' ]+)'? does not exist|failed to stat '([^']+)'/,
    message: ([, volume, file]) => `${volume ?? file} is not on the storage.`,
    fix: 'Run the command again: it downloads what is missing.',
  },
  {
    kind: 'exists',
    pattern: /already (?:exists|defined|a pool member)|Token already exists|already used/,
    message: () => 'It exists already.',
    fix: 'Run the command again.',
  },
  {
    kind: 'absent',
    pattern: /does not exist|unable to find configuration file|no such (?!task|file)|no rule at position/i,
    message: () => 'The object of this call does not exist.',
    fix: 'It may have been moved or deleted by another user: run the command again.',
  },
]
