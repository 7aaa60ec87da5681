import type { MediumInfo } from '../../core/guest.js'
import type { TalosMachine } from './machine.js'

const emptySchematic = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'

/**
 * What an installer would write, from its name alone: it contains version and platform, and the extensions of its
 * schematic are known if a machine already runs that schematic, or if it is the empty one.
 */
export function guessInstaller(reference: string, machines: ReadonlySet<TalosMachine>): MediumInfo | undefined {
  const match = /(?:([a-z]+)-)?installer(-secureboot)?(?:\/([0-9a-f]{64}))?:(v\d+\.\d+\.\d+[^@\s]*)/.exec(reference)
  if (match === null) return undefined
  const [, platform, secure, schematic = emptySchematic, talos = ''] = match
  const assets = [...machines].flatMap(({ asset, system }) => [asset, system?.slots.A, system?.slots.B])
  const like = assets.find((asset) => asset?.schematic === schematic)
  if (like === undefined && schematic !== emptySchematic) return undefined
  return {
    kind: 'disk-image',
    talos,
    schematic,
    platform: platform === 'nocloud' ? 'nocloud' : 'metal',
    arch: like?.arch ?? 'amd64',
    extensions: like?.extensions ?? [],
    kernelArgs: like?.kernelArgs ?? [],
    secureBoot: secure !== undefined,
    nominalSize: 110_000_000,
    virtualSize: 1246 * 1024 ** 2,
  }
}
