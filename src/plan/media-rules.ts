import type { Desired } from '../desired/desired.js'
import { collectRefusals } from '../findings/refusals/collect-refusals.js'
import { missingMedium } from '../findings/refusals/inventory.js'
import type { Observed } from '../observe/observed.js'
import { imageOf, volidOf } from '../vm/desired-parts.js'
import { diskVolume } from '../vm/disk-option.js'
import { findSeen } from '../work/wanted-machine.js'

interface Medium {
  readonly volid: string
  readonly host: string
  readonly where: string
  readonly otherwise: string
}

/** A medium that the user provides must exist before the first VM is created. */
export function refuseMissingMedia(desired: Desired, observed: Observed): void {
  const refusals = collectRefusals()
  for (const medium of [...machineMedia(desired, observed), ...guestMedia(desired, observed)])
    refusals.attempt(() => refuseIfMissing(medium, observed), undefined)
  refusals.finish(() => undefined)
}

function machineMedia(desired: Desired, observed: Observed): Medium[] {
  return desired.machines.flatMap(({ machine, image: key, host }) => {
    const image = imageOf(desired, key)
    if (image.origin.kind !== 'there' || diskVolume(findSeen(observed, machine.name)?.options.scsi0) !== undefined)
      return []
    const otherwise = 'leave talos.iso out: ichor then fetches one from the Image Factory'
    return [{ volid: volidOf(image), host, where: 'talos.iso', otherwise }]
  })
}

function guestMedia({ guestsToMake }: Desired, { proxmox }: Observed): Medium[] {
  const there = new Set(proxmox.guests.flatMap(({ name, vmid }) => [name, vmid]))
  return guestsToMake.flatMap(({ name, vmid, host, iso }) => {
    if (iso === undefined || there.has(name) || there.has(vmid)) return []
    return [{ volid: iso, host, where: `guests: ${name}, iso`, otherwise: `correct the iso of the guest ${name}` }]
  })
}

/** A medium counts as missing only if the storage was read. */
function isSeenToLack({ volid, host }: Medium, { proxmox }: Observed): boolean {
  const storage = volid.split(':')[0]
  const isShared = proxmox.storages.some((one) => one.storage === storage && one.shared)
  const looked = proxmox.contents.filter(
    (one) => one.storage === storage && one.content === 'iso' && (isShared || one.host === host),
  )
  if (looked.length === 0) return false
  return looked.every(({ volumes }) => volumes.seen && !volumes.value.some((volume) => volume.volid === volid))
}

function refuseIfMissing(medium: Medium, observed: Observed): void {
  const { volid, host, where, otherwise } = medium
  if (!isSeenToLack(medium, observed)) return
  throw missingMedium.refuse(`${volid} is not on ${host}.`, {
    subject: { kind: 'host', name: host },
    where,
    fix: `Upload it there, or ${otherwise}.`,
  })
}
