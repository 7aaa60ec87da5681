import type { Call } from './call.js'

/** What may belong to somebody else a moment later: VMIDs and the names of volumes are reused. */
const guestOrVolume = /^\/nodes\/[^/]+\/(qemu\/\d+|storage\/[^/]+\/content\/)/

/**
 * Whether a write goes to something that whoever asked has just proven to be ours. Sent again later, it would rely on
 * an old proof, so it is sent once and handed back; a step that is tried again proves again.
 */
export function needsProof({ method, path }: Call): boolean {
  return method !== 'GET' && guestOrVolume.test(path)
}
