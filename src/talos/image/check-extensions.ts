import { findNearest } from '../../nearest.js'
import { FactoryError } from './factory-error.js'
import type { FactoryPort } from './port.js'
import type { Schematic } from './schematic.js'

/** Asks which extensions a Talos version has. The factory itself would complain only when it builds the image. */
export async function checkExtensions(
  factory: Pick<FactoryPort, 'extensions'>,
  spec: { readonly schematic: Schematic; readonly talosVersion: string; readonly where: string },
  signal: AbortSignal,
): Promise<void> {
  const asked = spec.schematic.customization.systemExtensions?.officialExtensions ?? []
  if (asked.length === 0) return
  const known = await factory.extensions(spec.talosVersion, signal)
  const unknown = asked.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new FactoryError(`The factory has no ${unknown.join(', ')} for Talos ${spec.talosVersion}.`, {
    where: spec.where,
    fix: unknown.map((name) => fixFor(name, known)).join(' '),
  })
}

function fixFor(name: string, known: readonly string[]): string {
  const meant = findNearest(name, known)
  return meant === undefined ? `Remove ${name} from talos.extensions.` : `Write ${meant} in place of ${name}.`
}
