import { constants, gunzipSync } from 'node:zlib'

const headerLength = 512
/** Also what a small archive may unpack to. */
const mostBytes = 1024 * 1024

/**
 * The kubeconfig inside what a node sends: gzip over a tar with one file. The node never finishes the tar (no padding,
 * no end), so only the header is believed and exactly its bytes are taken.
 */
export function unpackKubeconfig(archive: Uint8Array): string {
  const tar = gunzipSync(archive, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostBytes })
  const size = Number.parseInt(tar.subarray(124, 136).toString('latin1'), 8)
  const name = tar.subarray(0, 100).toString('latin1').replace(/\0.*$/s, '')
  if (name !== 'kubeconfig' || Number.isNaN(size) || tar.length < headerLength + size) {
    throw new Error('what the node sent is not a tar with a kubeconfig in it')
  }
  return tar.subarray(headerLength, headerLength + size).toString('utf8')
}
