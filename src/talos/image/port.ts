import type { Schematic } from './schematic.js'

/** The Image Factory, public or private. */
export interface FactoryPort {
  /** POSTs the schematic, which must happen once before its images can be downloaded; checks the id that comes back. */
  register(schematic: Schematic, signal: AbortSignal): Promise<string>
  /** Bytes, by HEAD: the public factory serves no checksums. */
  size(url: string, signal: AbortSignal): Promise<number>
  /** The bytes of an image as they come, for sites where Proxmox cannot fetch it itself. */
  download(url: string, signal: AbortSignal): Promise<{ size: number; bytes: AsyncIterable<Uint8Array> }>
  versions(signal: AbortSignal): Promise<string[]>
  extensions(talosVersion: string, signal: AbortSignal): Promise<string[]>
}
