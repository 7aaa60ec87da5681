import { canonicalJson } from '../cluster/canonical.js'
import type { Installer } from '../desired/desired.js'
import { unknownExtension } from '../findings/refusals/versions.js'
import type { WorkContext } from '../work/work-context.js'

const ofRound = new WeakMap<WorkContext['observed'], Map<string, Promise<void>>>()

/** Registers a schematic with the factory, which its images and installers require; once per round. */
export async function registerSchematic(installer: Installer, context: WorkContext): Promise<void> {
  const known = ofRound.get(context.observed) ?? new Map<string, Promise<void>>()
  ofRound.set(context.observed, known)
  const id = canonicalJson(installer)
  const registered = known.get(id) ?? register(installer, context)
  known.set(id, registered)
  await registered.catch((thrown: unknown) => {
    known.delete(id)
    throw thrown
  })
}

async function register(installer: Installer, context: WorkContext): Promise<void> {
  await refuseUnknownExtensions(installer, context)
  await context.factory.register(installer.schematic, context.signal)
}

/**
 * A factory accepts any schematic and fails at the build, so unknown extension names are reported first. Skipped for a
 * factory that lists none.
 */
async function refuseUnknownExtensions(
  { schematic, talosVersion }: Installer,
  { factory, signal }: WorkContext,
): Promise<void> {
  const wanted = schematic.customization.systemExtensions?.officialExtensions ?? []
  const known = wanted.length === 0 ? [] : await factory.extensions(talosVersion, signal).catch(() => [])
  const unknown = known.length === 0 ? [] : wanted.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw unknownExtension.refuse(`There is no extension ${unknown.join(', ')} for Talos ${talosVersion}.`, {
    subject: { kind: 'inventory', name: 'talos.extensions' },
    where: 'talos.extensions',
    fix: `Check the spelling. This factory has ${known.length} of them, such as ${known.slice(0, 3).join(', ')}.`,
  })
}
