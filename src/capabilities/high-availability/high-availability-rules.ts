import { groupBy } from '../../cluster/lookup.js'
import type { Desired, DesiredMachine } from '../../desired/desired.js'
import { impossibleHa } from '../../findings/refusals/inventory.js'
import type { Observed } from '../../observe/observed.js'

/** HA restarts a machine on another host, so another host must exist and have access to the disks. */
export function refuseUnsharedDisks({ cluster, highAvailability, machines }: Desired, { proxmox }: Observed): void {
  if (highAvailability === undefined) return
  if (proxmox.hosts.length < 2) {
    throw impossibleHa.refuse('Proxmox HA needs at least two hosts, but there is only one.', {
      subject: { kind: 'cluster', name: cluster.name },
      where: 'placement.ha in the inventory',
      fix: 'Remove placement.ha, or join another host to the Proxmox cluster.',
    })
  }
  const local = new Set(proxmox.storages.filter(({ shared }) => !shared).map(({ storage }) => storage))
  const bound = machines.flatMap((machine) =>
    datastoresOf(machine).flatMap((datastore) =>
      local.has(datastore) ? { name: machine.machine.name, datastore } : [],
    ),
  )
  if (bound.length === 0) return
  const sentences = [...groupBy(bound, ({ datastore }) => datastore)].map(
    ([datastore, those]) => `${datastore} (${those.map(({ name }) => name).join(', ')})`,
  )
  throw impossibleHa.refuse(
    `Proxmox HA cannot start machines on another host while their disks are on storages that are not shared: ${sentences.join('; ')}.`,
    {
      subject: { kind: 'cluster', name: cluster.name },
      where: 'placement.ha in the inventory',
      fix: 'Remove placement.ha, or put the disks on a shared storage: proxmox.datastore for new machines, then ichor replace NODE for each existing one.',
    },
  )
}

function datastoresOf({ disks, efi, tpm }: DesiredMachine): string[] {
  const own = [...disks, efi, tpm].flatMap((disk) => (disk === undefined ? [] : disk.datastore))
  return [...new Set(own)]
}
