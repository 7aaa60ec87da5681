import { createHash } from 'node:crypto'
import type { ChartSource } from '../addons/addon.js'
import { FileError, reasonOf } from '../errors.js'
import { fetchBytes, fetchText } from '../reach/fetch-text.js'
import type { FactoryPort } from '../talos/image/port.js'
import { chartUrl } from './chart-url.js'
import { manifestDigest } from './manifest-digest.js'
import type { Bit } from './wanted-bits.js'

/** The current SHA-256 behind this name, in hex. */
export async function fetchDigest(bit: Bit, factory: FactoryPort, signal: AbortSignal): Promise<string> {
  try {
    if (bit.kind === 'images') return await imageDigest(bit.factory, factory, signal)
    return await (bit.kind === 'installers' ? manifestDigest(bit.image) : chartDigest(bit.chart))
  } catch (thrown) {
    throw new FileError(`The bytes of ${bit.name} cannot be read: ${reasonOf(thrown)}.`, {
      where: bit.name,
      fix: 'Check the address and the way to it from this computer, and run the command again.',
    })
  }
}

async function imageDigest(
  { url, schematic }: Extract<Bit, { kind: 'images' }>['factory'],
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
