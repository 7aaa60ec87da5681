import { isoImage } from './iso9660.js'

/** What a nocloud machine reads at its first boot. */
export interface Seed {
  /** The machine config. */
  readonly userData: string
  readonly metaData: string
  /** Without it Talos ignores the metadata too, including the hostname. */
  readonly networkConfig?: string
}

/** The seed as a CD image with the label `cidata`. The same seed gives the same bytes. */
export function cidataIso({ userData, metaData, networkConfig }: Seed): Uint8Array {
  const files = [
    { name: 'user-data', shortName: 'USERDATA', bytes: Buffer.from(userData) },
    { name: 'meta-data', shortName: 'METADATA', bytes: Buffer.from(metaData) },
    ...(networkConfig === undefined
      ? []
      : [{ name: 'network-config', shortName: 'NETCONF', bytes: Buffer.from(networkConfig) }]),
  ]
  return isoImage({ label: 'cidata', files })
}
