import { z } from 'zod'
import type { Desired, Installer } from '../desired/desired.js'
import { registerSchematic as register } from '../node/register-schematic.js'
import { defineStep } from './step.js'

/** The factory builds installers only for registered schematics. */
export const registerSchematic = defineStep({
  kind: 'register-schematic',
  args: z.strictObject({ schematic: z.string() }),
  title: ({ schematic }) => `register the schematic ${schematic.slice(0, 12)} with the Image Factory`,
  changes: true,
  disruptive: false,
  inUpgrade: 'before',
  // Registering again returns the same ID.
  done: async () => false,
  run: ({ schematic }, context) => register(installerOf(context.desired, schematic), context),
  effect: () => undefined,
})

function installerOf({ machines }: Desired, id: string): Installer {
  const found = machines.find(({ installer }) => installer.id === id)?.installer
  if (found?.schematic === undefined) throw new Error(`no machine installs the schematic ${id}`)
  return { schematic: found.schematic, talosVersion: found.version }
}
