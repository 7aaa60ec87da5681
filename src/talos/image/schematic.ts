/** What an Image Factory builds an image from, in the factory's own words and order. */
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
