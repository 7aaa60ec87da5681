import { createHash } from 'node:crypto'
import type { ChartSource } from '../addons/addon.js'
import { FileError, reasonOf } from '../errors.js'
import { fetchBytes, fetchText } from '../reach/fetch-text.js'
import type { FactoryPort } from '../talos/image/port.js'
import { chartUrl } from './chart-url.js'
import { manifestDigest } from './manifest-digest.js'
import type { Artifact } from './wanted-artifacts.js'

/** The current SHA-256 behind this name, in hex. */
export async function fetchDigest(artifact: Artifact, factory: FactoryPort, signal: AbortSignal): Promise<string> {
  try {
    if (artifact.kind === 'images') return await imageDigest(artifact.factory, factory, signal)
    return await (artifact.kind === 'installers' ? manifestDigest(artifact.image) : chartDigest(artifact.chart))
  } catch (thrown) {
    throw new FileError(`The bytes of ${artifact.name} cannot be read: ${reasonOf(thrown)}.`, {
      where: artifact.name,
      fix: 'Check the address and the way to it from this computer, and run the command again.',
    })
  }
}

async function imageDigest(
  { url, schematic }: Extract<Artifact, { kind: 'images' }>['factory'],
  factory: FactoryPort,
  signal: AbortSignal,
): Promise<string> {
  if (schematic !== undefined) await factory.register(schematic, signal)
  const { bytes } = await factory.download(url, signal)
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

async function chartDigest({ repository, chart, version }: ChartSource): Promise<string> {
  const base = repository.replace(/\/+$/, '')
  if (base.startsWith('oci://')) return manifestDigest(`${base.slice('oci://'.length)}/${chart}:${version}`)
  const url = chartUrl(await fetchText(`${base}/index.yaml`), { base, chart, version })
  return createHash('sha256')
    .update(await fetchBytes(url))
    .digest('hex')
}
