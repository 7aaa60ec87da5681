import type { Desired, DesiredMachine } from '../../desired/desired.js'
import type { ObservedMachine } from '../../observe/observed.js'
import { findIntent } from '../../vm/intent.js'

/** Why the VM of a machine is replaced. */
export interface Replacement {
  /** The ID of the run that requested it, or `inventory`. */
  readonly by: string
  readonly reason: string
}

/** In the mark of a machine whose VM cannot be changed to what the inventory specifies. */
export const byInventory = 'inventory'

/** In the mark of a machine that cannot be moved off an evacuated host. */
export const byEvacuation = 'evacuation'

/** In the mark of a machine that cannot be moved back to its original host, which the mark names. */
export const byReturn = 'return'

/**
 * Whether the VM is replaced: a run was asked to, or nothing else gives the machine what the inventory specifies. Once
 * wiping has started the replacement is finished, even if the inventory is changed back.
 */
export function replacementOf(
  desired: Pick<Desired, 'cluster'>,
  wanted: DesiredMachine,
  seen: ObservedMachine,
): Replacement | undefined {
  const by = findIntent('replace', desired, seen)
  if (by === byEvacuation) return { by, reason: stuckReason(seen, 'on another host') }
  if (by === undefined && isReturning(desired, wanted, seen))
    return { by: byReturn, reason: `returns to ${wanted.home}; ${stuckReason(seen, 'there')}` }
  if (by !== undefined && by !== byInventory) return { by, reason: 'replaced by a new VM' }
  const why = seen.talos.reach === 'secured' && seen.mark.stage === 'made' ? rebuildReasons(wanted, seen) : []
  if (why.length > 0) return { by: byInventory, reason: `${why.join(', ')}, needs another VM` }
  if (by === undefined || seen.mark.stage === 'made') return undefined
  return { by, reason: 'it was wiped and is replaced by a new VM' }
}

/** It returns, but not by migration. Once wiping has started this is finished, with or without space on the host. */
function isReturning(
  { cluster: { evacuated = [] } }: Pick<Desired, 'cluster'>,
  { home, host, moveTo }: DesiredMachine,
  { stuck = [], mark }: ObservedMachine,
): boolean {
  if (home === undefined || home === host || evacuated.includes(home)) return false
  return mark.stage === 'leaving' || (moveTo !== undefined && stuck.length > 0)
}

function stuckReason({ stuck }: ObservedMachine, where: string): string {
  return `it cannot be migrated (${stuck?.join('; ') ?? 'as detected by an earlier run'}): it is replaced by a new VM ${where}`
}

/** What a VM has from its first boot, in words. */
function rebuildReasons(wanted: DesiredMachine, seen: ObservedMachine): string[] {
  const [isSecure, wasSecure] = [isSecureInstaller(wanted.installer.image), bootsSecurely(seen)]
  return [
    ...(wasSecure === undefined || isSecure === wasSecure
      ? []
      : [`secure boot ${onOff(wasSecure)} -> ${onOff(isSecure)}`]),
    ...firmwareChange(wanted, seen),
    ...(isEncryptedOtherwise(wanted, seen) ? ['disk encryption changed'] : []),
  ]
}

function onOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

function isSecureInstaller(image: string): boolean {
  return /installer-secureboot\b/.test(image)
}

/** Known from the image of its disk; for the user's own image, from the installer in its config. */
function bootsSecurely({ mark, talos }: ObservedMachine): boolean | undefined {
  if (/(^|\/)talos-v\d[^/]*\.(qcow2|raw|iso)$/.test(mark.image)) return /-secureboot\.\w+$/.test(mark.image)
  if (talos.reach !== 'secured' || !talos.config.seen) return undefined
  return /^\s*image:.*\binstaller-secureboot\b/m.test(talos.config.value)
}

/**
 * A boot loader is installed for one firmware. If the firmware was changed by hand and the EFI disk fits, it is changed
 * back.
 */
function firmwareChange({ efi }: DesiredMachine, { options }: ObservedMachine): string[] {
  const [is, was] = [efi === undefined ? 'seabios' : 'ovmf', options.bios ?? 'seabios']
  const hasEfiDisk = options.efidisk0 !== undefined
  if (is === was || hasEfiDisk === (is === 'ovmf')) return []
  return [`firmware ${was} -> ${is}`]
}

function isEncryptedOtherwise({ talos: wanted }: DesiredMachine, { talos }: ObservedMachine): boolean {
  if (wanted === undefined || talos.reach !== 'secured' || !talos.config.seen) return false
  if (talos.config.value === wanted.config) return false
  return wanted.differenceFrom(talos.config.value, talos.version).isEncryption
}
