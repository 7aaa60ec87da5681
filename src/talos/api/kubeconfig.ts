import { constants, gunzipSync } from 'node:zlib'

const headerLength = 512
/** Also what a small archive may unpack to. */
const mostBytes = 1024 * 1024

/**
 * The kubeconfig inside what a node sends: gzip over a tar with one file. The node never finishes the tar (no padding,
 * no end), so only the header is believed and exactly its bytes are taken. `undefined` when it is something else.
 */
export function unpackKubeconfig(archive: Uint8Array): string | undefined {
  const tar = unzip(archive)
  if (tar === undefined) return undefined
  const size = Number.parseInt(tar.subarray(124, 136).toString('latin1'), 8)
  const name = tar.subarray(0, 100).toString('latin1').replace(/\0.*$/s, '')
  if (name !== 'kubeconfig' || Number.isNaN(size) || tar.length < headerLength + size) return undefined
  return tar.subarray(headerLength, headerLength + size).toString('utf8')
}

function unzip(archive: Uint8Array): Buffer | undefined {
  try {
    return gunzipSync(archive, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostBytes })
  } catch {
    return undefined
  }
}
