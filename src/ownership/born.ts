import type { VmConfig } from '../proxmox/client/port.js'
import type { Mark } from './mark.js'

/**
 * When Proxmox created the VM, as Proxmox recorded it: users cannot change this, even with all other rights on the VM.
 */
function birthOf({ options }: Pick<VmConfig, 'options'>): string | undefined {
  return /(?:^|,)ctime=(\d+)/.exec(options.meta ?? '')?.[1]
}

/** Stored in the mark of a made machine, so that the mark fits no VM that is created later with the same VMID. */
export function withBirth(mark: Mark, config: Pick<VmConfig, 'options'>): Mark {
  const born = birthOf(config)
  return born === undefined ? mark : { ...mark, more: { ...mark.more, born } }
}

export function isOfAnotherBirth({ more }: Mark, config: Pick<VmConfig, 'options'>): boolean {
  return more?.born !== undefined && more.born !== birthOf(config)
}

/** A mark from before marks stored it: an old copy of it would fit a later VM. */
export function lacksBirth({ stage, more }: Mark, config: Pick<VmConfig, 'options'>): boolean {
  return stage === 'made' && more?.born === undefined && birthOf(config) !== undefined
}
