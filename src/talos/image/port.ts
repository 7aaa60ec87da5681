import type { Schematic } from './schematic.js'

/** The Image Factory, public or private. */
export interface FactoryPort {
  /** POSTs the schematic, which is required once before its images can be downloaded; checks the returned ID. */
  register(schematic: Schematic, signal: AbortSignal): Promise<string>
  /** Bytes, by HEAD: the public factory provides no checksums. */
  size(url: string, signal: AbortSignal): Promise<number>
  /** The bytes of an image as a stream, for sites where Proxmox cannot download it. */
  download(url: string, signal: AbortSignal): Promise<{ size: number; bytes: AsyncIterable<Uint8Array> }>
  versions(signal: AbortSignal): Promise<string[]>
  extensions(talosVersion: string, signal: AbortSignal): Promise<string[]>
}
