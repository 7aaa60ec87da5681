import type { ObservedMachine } from '../observe/observed.js'
import { lacksBirth } from '../ownership/born.js'

/**
 * Why its mark needs a seal. Only the node itself can confirm that the VM is still the one that the mark was written
 * for.
 */
export function sealReason({ isSealed, mark, options, talos }: ObservedMachine): string | undefined {
  if (!isSealed) return 'its mark has no seal yet'
  const isUnborn = talos.reach === 'secured' && lacksBirth(mark, { options })
  return isUnborn ? 'the mark lacks the creation time of the VM' : undefined
}
