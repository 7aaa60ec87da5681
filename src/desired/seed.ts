import type { Settings } from '../inventory/schema.js'
import type { Datastores } from './datastores.js'
import type { DesiredMachine, DesiredSeed } from './desired.js'

/** QEMU's virt board of arm64 has no IDE. */
const slots = {
  amd64: { install: 'ide2', seed: 'ide0' },
  arm64: { install: 'scsi29', seed: 'scsi28' },
} as const

/** After all other disks, so that it does not change their names; old controllers have seven slots. */
function diskSlot({ vm }: Settings): string {
  return vm.scsihw.startsWith('virtio-scsi') ? 'scsi30' : 'scsi6'
}

/** A disk of the VM if a storage can import images, otherwise an ISO. */
export function seedOf(host: string, settings: Settings, datastores: Datastores): DesiredSeed {
  const { proxmox, talos } = settings
  const storage = datastores.find(host, 'import', proxmox.seed_datastore)
  if (storage !== undefined) return { kind: 'disk', storage, slot: diskSlot(settings) }
  const drive = talos.boot === 'iso' ? slots[talos.arch].seed : slots[talos.arch].install
  return { kind: 'iso', storage: datastores.on(host, 'iso', proxmox.seed_datastore), slot: drive }
}

export function drivesOf({ kind, slot }: DesiredSeed, { talos }: Settings): DesiredMachine['drives'] {
  const needsSeed = talos.delivery === 'cidata' && kind === 'iso'
  return {
    ...(talos.boot === 'iso' ? { install: slots[talos.arch].install } : {}),
    ...(needsSeed ? { seed: slot } : {}),
  }
}
