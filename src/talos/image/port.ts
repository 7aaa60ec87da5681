import type { Schematic } from './schematic.js'

/** The Image Factory, public or private. */
export interface FactoryPort {
  /** POSTs the schematic, which must happen once before its images can be downloaded; checks the id that comes back. */
  register(schematic: Schematic, signal: AbortSignal): Promise<string>
  /** Bytes, by HEAD: the public factory serves no checksums. */
  size(url: string, signal: AbortSignal): Promise<number>
  /** `undefined` where the factory gives none (402). */
  findChecksum(url: string, signal: AbortSignal): Promise<string | undefined>
  versions(signal: AbortSignal): Promise<string[]>
  extensions(talosVersion: string, signal: AbortSignal): Promise<string[]>
}
