import { createHash } from 'node:crypto'
import { goYaml } from '../config/go-yaml.js'

/** The input of an image build, with the factory's names and order. */
export interface Schematic {
  readonly overlay?: {
    readonly image: string
    readonly name: string
    readonly options?: Readonly<Record<string, unknown>>
  }
  readonly customization: {
    readonly extraKernelArgs?: readonly string[]
    readonly meta?: readonly { readonly key: number; readonly value: string }[]
    readonly systemExtensions?: { readonly officialExtensions: readonly string[] }
    readonly bootloader?: 'auto' | 'dual-boot' | 'sd-boot' | 'grub'
    readonly secureboot?: {
      readonly enrollKeys?: 'off' | 'manual' | 'if-safe' | 'force'
      readonly includeWellKnownCertificates?: boolean
    }
  }
}

/** What the inventory specifies about the image, with its names. */
export interface ImageRequests {
  /** `siderolabs/qemu-guest-agent`; siderolabs by default. */
  readonly extensions: readonly string[]
  readonly kernelArgs: readonly string[]
  readonly overlay?: Schematic['overlay']
  readonly meta?: Schematic['customization']['meta']
  readonly secureBoot?: Schematic['customization']['secureboot']
  readonly bootloader?: Schematic['customization']['bootloader']
}

/** The schematic for these specs. Extensions are sorted, as on the factory's web page: the order changes the ID. */
export function schematicFor(specs: ImageRequests): Schematic {
  const names = specs.extensions.map((name) => (name.includes('/') ? name : `siderolabs/${name}`))
  const officialExtensions = [...new Set(names)].sort()
  const { kernelArgs, overlay, meta, secureBoot, bootloader } = specs
  return {
    ...(overlay === undefined ? {} : { overlay }),
    customization: {
      ...(kernelArgs.length === 0 ? {} : { extraKernelArgs: kernelArgs }),
      ...(meta === undefined || meta.length === 0 ? {} : { meta }),
      ...(officialExtensions.length === 0 ? {} : { systemExtensions: { officialExtensions } }),
      ...(bootloader === undefined ? {} : { bootloader }),
      ...(secureBoot === undefined ? {} : { secureboot: secureBoot }),
    },
  }
}

/** The factory's canonical text of a schematic: its field order, without empty fields. */
export function schematicYaml({ overlay, customization }: Schematic): string {
  const { extraKernelArgs, meta, systemExtensions, bootloader, secureboot } = customization
  return goYaml({
    ...(overlay === undefined ? {} : { overlay: canonicalOverlay(overlay) }),
    customization: withoutEmpty({
      extraKernelArgs,
      meta: meta?.map(({ key, value }) => ({ key, value })),
      systemExtensions: withoutEmpty({ officialExtensions: systemExtensions?.officialExtensions }),
      bootloader,
      secureboot: withoutEmpty({
        enrollKeys: secureboot?.enrollKeys,
        includeWellKnownCertificates: secureboot?.includeWellKnownCertificates,
      }),
    }),
  })
}

/** The factory's ID for this schematic, computed locally. */
export function schematicId(schematic: Schematic): string {
  return createHash('sha256').update(schematicYaml(schematic)).digest('hex')
}

function canonicalOverlay({ image, name, options }: NonNullable<Schematic['overlay']>): Record<string, unknown> {
  return { image, name, ...withoutEmpty({ options: options === undefined ? undefined : sorted(options) }) }
}

/** Go writes free-form mappings with sorted keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
