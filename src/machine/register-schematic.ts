import type { Installer } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { World } from '../world.js'
import type { WorkContext } from './work-context.js'

/** The factory hears of a schematic, which must happen before its images or its installer can be had. */
export async function registerSchematic(installer: Installer, world: World, context: WorkContext): Promise<void> {
  await refuseUnknownExtensions(installer, world, context)
  await world.factory.register(installer.schematic, context.signal)
}

/** A factory takes any schematic and fails when it builds: a wrong name is reported before. One that lists nothing is not asked. */
async function refuseUnknownExtensions(
  { schematic, talosVersion }: Installer,
  { factory }: World,
  { signal }: WorkContext,
): Promise<void> {
  const wanted = schematic.customization.systemExtensions?.officialExtensions ?? []
  const known = wanted.length === 0 ? [] : await factory.extensions(talosVersion, signal).catch(() => [])
  const unknown = known.length === 0 ? [] : wanted.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new PlanRefused(`There is no extension ${unknown.join(', ')} for Talos ${talosVersion}.`, {
    where: 'talos.extensions',
    fix: `Check the spelling. This factory knows ${known.length} of them, such as ${known.slice(0, 3).join(', ')}.`,
  })
}
