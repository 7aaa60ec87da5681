import type { MediumInfo } from '../core/guest.js'
import type { SimSchematic } from './canonical.js'
import { findUnknownExtension, versions } from './catalogue.js'

/** A refusal of the factory, with its status and message. */
export class FactoryRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const MiB = 1024 ** 2
const imagePath = /^(metal|nocloud)-(amd64|arm64)(-secureboot)?\.(iso|qcow2|raw)(\.(xz|zst|gz))?$/

/** The content of the image at this path, or the refusal of the real factory when it tries to build it. */
export function describeImage(path: string, version: string, id: string, schematic: SimSchematic): MediumInfo {
  if (/\.sha(256|512)$/.test(path))
    throw new FactoryRefusal(402, 'enterprise not enabled: checksum endpoint is not available')
  if (/\.sigstore\.json$/.test(path))
    throw new FactoryRefusal(402, 'enterprise signing is not enabled: signature endpoint is not available')
  const match = imagePath.exec(path)
  if (match === null)
    throw new FactoryRefusal(400, `error parsing profile from path: invalid profile path: ${JSON.stringify(path)}`)
  const [, platform, arch, secure, format] = match
  return describeMedium({
    version,
    id,
    schematic,
    platform: platform ?? '',
    arch: arch ?? '',
    secureBoot: secure !== undefined,
    isIso: format === 'iso',
  })
}

/** Checks version and extensions like a build. */
export function describeMedium(wanted: {
  version: string
  id: string
  schematic: SimSchematic
  platform: string
  arch: string
  secureBoot: boolean
  isIso: boolean
}): MediumInfo {
  const talos = wanted.version.startsWith('v') ? wanted.version : `v${wanted.version}`
  if (!versions.includes(talos)) throw new FactoryRefusal(404, `version ${talos.slice(1)} is not available`)
  const extensions = wanted.schematic.customization?.systemExtensions?.officialExtensions ?? []
  const unknown = findUnknownExtension(extensions)
  if (unknown !== undefined) {
    const problem = `official extension ${JSON.stringify(unknown)} is not available for Talos version ${talos}`
    throw new FactoryRefusal(400, `error enhancing profile from schematic: ${problem}`)
  }
  return {
    kind: wanted.isIso ? 'iso' : 'disk-image',
    talos,
    schematic: wanted.id,
    platform: wanted.platform as MediumInfo['platform'],
    arch: wanted.arch as MediumInfo['arch'],
    extensions: [...extensions],
    kernelArgs: [...(wanted.schematic.customization?.extraKernelArgs ?? [])],
    secureBoot: wanted.secureBoot,
    nominalSize: wanted.isIso ? 100 * MiB : 110 * MiB,
    virtualSize: wanted.isIso ? 100 * MiB : 1246 * MiB,
  }
}
