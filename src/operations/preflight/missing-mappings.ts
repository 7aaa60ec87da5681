import { missingMapping } from '../../findings/refusals/inventory.js'
import { listed } from '../../inventory/checks/check.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'
import { insteadOf } from './instead-of.js'
import type { MissingName } from './unfit-site.js'

/** PCI devices are named by their resource mapping. Without any, the token may not see them. */
export function missingMappings(inventory: Inventory, { proxmox }: Pick<Observed, 'proxmox'>): MissingName[] {
  const known = [...new Set(proxmox.pciMappings.map(({ id }) => id))].sort()
  if (known.length === 0) return []
  return namedMappings(inventory)
    .filter(({ mapping }) => !known.includes(mapping))
    .map(({ mapping, path }) => ({
      refusal: missingMapping,
      path,
      message: `Proxmox has no PCI resource mapping ${mapping}.`,
      fix: insteadOf(mapping, known, `Write one of ${listed(known)}, or make it under Datacenter, Resource Mappings.`),
    }))
}

function namedMappings({ settings: { worker_pools, controlplane, workers, guests } }: Inventory) {
  const of = (owners: readonly { readonly devices?: readonly { readonly mapping: string }[] }[], key: string) =>
    owners.flatMap(({ devices = [] }, owner) =>
      devices.map(({ mapping }, index) => ({ mapping, path: `${key}[${owner}].devices[${index}]` })),
    )
  return [
    ...of(worker_pools, 'worker_pools'),
    ...of(controlplane, 'controlplane'),
    ...of(workers, 'workers'),
    ...of(guests, 'guests'),
  ]
}
