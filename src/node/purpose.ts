import { z } from 'zod'
import { awaitsRestart } from '../vm/awaited-restart.js'
import { findOwned } from '../vm/owned-vm.js'
import { hasPending } from '../vm/pending-options.js'
import type { WorkContext } from '../work/work-context.js'
import { findNode } from './kubernetes-node.js'
import { hasWantedConfig } from './talos-config.js'
import { askRelease, isRelease } from './talos-release.js'

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
export async function isMet(purpose: Purpose, machine: string, context: WorkContext): Promise<boolean> {
  if (purpose.leave) return (await findNode(machine, context)) === undefined
  if (purpose.reboot !== undefined) return (await findOwned(machine, context))?.mark.more?.rebooted === purpose.reboot
  if (purpose.restart !== undefined && (await hasPending(machine, purpose.restart, context))) return false
  if (purpose.afterRestore && (await awaitsRestart(machine, context))) return false
  if (purpose.upgrade !== undefined) return isRelease(await askRelease(machine, context), purpose.upgrade)
  return !purpose.config || hasWantedConfig(machine, context)
}
