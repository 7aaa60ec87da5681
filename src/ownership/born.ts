import type { VmConfig } from '../proxmox/client/port.js'
import type { Mark } from './mark.js'

/** When Proxmox made the VM, in its own words: nobody else can write that, not even who may change everything else of it. */
function birthOf({ options }: Pick<VmConfig, 'options'>): string | undefined {
  return /(?:^|,)ctime=(\d+)/.exec(options.meta ?? '')?.[1]
}

/** A made machine keeps it in its mark, so that the mark fits no VM that is made later under the same VMID. */
export function withBirth(mark: Mark, config: Pick<VmConfig, 'options'>): Mark {
  const born = birthOf(config)
  return born === undefined ? mark : { ...mark, more: { ...mark.more, born } }
}

export function isOfAnotherBirth({ more }: Mark, config: Pick<VmConfig, 'options'>): boolean {
  return more?.born !== undefined && more.born !== birthOf(config)
}

/** A mark from before marks kept it: an old copy of it would fit a VM that is made later. */
export function lacksBirth({ stage, more }: Mark, config: Pick<VmConfig, 'options'>): boolean {
  return stage === 'made' && more?.born === undefined && birthOf(config) !== undefined
}
