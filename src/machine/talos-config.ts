import { seen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import type { World } from '../world.js'
import type { Model } from './model.js'
import { findAddress } from './node-address.js'
import { changeMachine } from './observed-change.js'
import { machineOf } from './wanted-machine.js'
import type { WorkContext } from './work-context.js'

export function wantedConfig(machine: string, { desired }: Pick<WorkContext, 'desired'>): string {
  const { talos } = machineOf(desired, machine)
  if (talos === undefined) throw new Error(`no config for ${machine}: the secrets are missing`)
  return talos.config
}

/** The config that it runs with means the same as the wanted one. */
export async function hasWantedConfig(machine: string, world: World, context: WorkContext): Promise<boolean> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return false
  const node = world.talos.node({ machine, address })
  const active = await node.resources.machineConfig(context.signal)
  if (active === wantedConfig(machine, context)) return true
  const { tag } = await node.version(context.signal)
  return machineOf(context.desired, machine).talos?.differenceFrom(active, tag).fields.length === 0
}

/** What is seen once it runs with it. */
export function setWantedConfig(model: Model, desired: Desired, machine: string): void {
  changeMachine(model, desired, machine, ({ talos }) => {
    const config = machineOf(desired, machine).talos?.config
    return { talos: talos.reach === 'secured' && config !== undefined ? { ...talos, config: seen(config) } : talos }
  })
}
