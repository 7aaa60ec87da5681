import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'

interface Blob {
  readonly type: string
  readonly bytes: Buffer
}

/** A registry with one image: what is in the given folder, for every name and tag that ends in `repository`. */
export async function startRegistry(folder: string, scratch: string, repository: string) {
  const blobs = imageOf(folder, join(scratch, 'layer.tar'))
  const server = createServer(({ method, url = '' }, response) => {
    const [, name, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs)\/([^?]+)/.exec(url) ?? []
    const wanted = kind === 'manifests' && !reference?.startsWith('sha256:') ? 'manifest' : reference
    const found = name?.endsWith(repository) ? blobs.get(wanted ?? '') : undefined
    if (/^\/v2\/?(\?|$)/.test(url)) response.end()
    else answer(response, found, method === 'HEAD')
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The registry has no port.')
  return {
    port: address.port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, blob: Blob | undefined, isHead: boolean): void {
  if (blob === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}')
    return
  }
  const { type, bytes } = blob
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'docker-content-digest': digestOf(bytes),
  })
  response.end(isHead ? undefined : bytes)
}

/** One layer, not compressed. */
function imageOf(folder: string, archive: string): Map<string, Blob> {
  const { status, stderr } = spawnSync('tar', ['-cf', archive, '--owner=0', '--group=0', '-C', folder, '.'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`tar ended with ${status}: ${stderr}`)
  const layer = { type: 'application/vnd.oci.image.layer.v1.tar', bytes: readFileSync(archive) }
  const config = json('application/vnd.oci.image.config.v1+json', {
    architecture: 'amd64',
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [digestOf(layer.bytes)] },
  })
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const describe = ({ type, bytes }: Blob) => ({ mediaType: type, digest: digestOf(bytes), size: bytes.length })
  const manifest = json(mediaType, { schemaVersion: 2, mediaType, config: describe(config), layers: [describe(layer)] })
  const byDigest = [layer, config, manifest].map((blob): [string, Blob] => [digestOf(blob.bytes), blob])
  return new Map([['manifest', manifest], ...byDigest])
}

function json(type: string, value: object): Blob {
  return { type, bytes: Buffer.from(JSON.stringify(value)) }
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
