import { z } from 'zod'
import type { World } from '../world.js'
import { awaitsRestart } from './awaited-restart.js'
import { findNode } from './kubernetes-node.js'
import { findOwned } from './owned-vm.js'
import { hasPending } from './pending-options.js'
import { hasWantedConfig } from './talos-config.js'
import { askRelease, isRelease } from './talos-release.js'
import type { WorkContext } from './work-context.js'

/** Why a machine is disrupted: shared by the whole chain from cordon to uncordon. */
export const purposeSchema = z.strictObject({
  /** VM options that are pending until a cold start. */
  restart: z.array(z.string()).readonly().optional(),
  /** A config that takes effect at a reboot. */
  config: z.literal(true).optional(),
  /** etcd was restored under it: watchers on the machine hold outdated revisions. */
  afterRestore: z.literal(true).optional(),
  /** A different version of Talos, or different extensions or kernel arguments. */
  upgrade: z.strictObject({ version: z.string(), schematic: z.string().optional() }).optional(),
  /** It leaves the cluster permanently. */
  leave: z.literal(true).optional(),
  /** A requested reboot: the ID of the run. */
  reboot: z.string().optional(),
})

export type Purpose = z.infer<typeof purposeSchema>

/** Whether the disruption is no longer needed. */
export async function isMet(purpose: Purpose, machine: string, world: World, context: WorkContext): Promise<boolean> {
  if (purpose.leave) return (await findNode(machine, world, context)) === undefined
  if (purpose.reboot !== undefined)
    return (await findOwned(machine, world, context))?.mark.more?.rebooted === purpose.reboot
  if (purpose.restart !== undefined && (await hasPending(machine, purpose.restart, world, context))) return false
  if (purpose.afterRestore && (await awaitsRestart(machine, world, context))) return false
  if (purpose.upgrade !== undefined) return isRelease(await askRelease(machine, world, context), purpose.upgrade)
  return !purpose.config || hasWantedConfig(machine, world, context)
}
