import type { Machine } from '../../cluster/machine.js'
import { diskFlags, vmOptions } from '../../desired/vm-options.js'
import type { Inventory } from '../../inventory/inventory.js'
import { parseBoot } from '../../proxmox/model/options/boot.js'
import { loadedMedia } from '../../vm/media.js'
import { wrongOptions } from '../../vm/vm-drift.js'

/** Options of a VM that the inventory would change: they stay as they are. Tags are added, not changed. */
export function keptOptions(
  machine: Machine,
  { settings }: Inventory,
  actual: Readonly<Record<string, string>>,
): readonly string[] {
  const flags = diskFlags(settings.vm)
  const slots = ['scsi0', ...machine.disks.map((_, index) => `scsi${index + 1}`)]
  const disks = slots.map((slot) => ({ slot, datastore: '', size: 0, flags }))
  const cluster = { name: settings.cluster_name, tags: [] }
  const wrong = wrongOptions({ machine, options: vmOptions(machine, settings), disks }, { cluster }, actual)
  const absent = [
    ...(settings.vm.bios === 'ovmf' && actual.efidisk0 === undefined ? ['efidisk0'] : []),
    ...(settings.vm.tpm && actual.tpmstate0 === undefined ? ['tpmstate0'] : []),
    ...(parseBoot(actual.boot ?? '').includes('scsi0') ? [] : ['boot']),
  ]
  return [...new Set([...wrong.map(({ key }) => key), ...absent, ...loadedMedia(actual)])].sort()
}
