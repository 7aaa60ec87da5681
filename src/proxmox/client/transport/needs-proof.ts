import type { Call } from './call.js'

/** Objects that may belong to someone else a moment later: VMIDs and volume names are reused. */
const guestOrVolume = /^\/nodes\/[^/]+\/(qemu\/\d+|storage\/[^/]+\/content\/)/

/**
 * Whether a write targets an object that the caller has just proven to be ours. A retry would rely on an outdated
 * proof, so the write is sent once; a step that is retried proves ownership again.
 */
export function needsProof({ method, path }: Call): boolean {
  return method !== 'GET' && guestOrVolume.test(path)
}
