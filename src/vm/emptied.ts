import type { Desired } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'
import { diskVolume } from './disk-option.js'

/** It was wiped or has lost its system disk, and starts over. It may only need a config over the maintenance API. */
export function isEmptied({ mark, options, talos }: ObservedMachine, { cluster }: Pick<Desired, 'cluster'>): boolean {
  if (mark.stage === 'making') return false
  if (diskVolume(options.scsi0) === undefined) return true
  if (mark.stage === 'leaving') return talos.reach !== 'secured'
  return talos.reach === 'maintenance' && cluster.delivery === 'cidata'
}
