import { seen } from '../cluster/seen.js'
import type { Desired, DesiredTalos } from '../desired/desired.js'
import type { TalosNode } from '../talos/api/port.js'
import { changeMachine } from '../vm/observed-change.js'
import type { Model } from '../work/model.js'
import { machineOf } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { findAddress } from './node-address.js'

export function wantedTalos(machine: string, { desired }: Pick<WorkContext, 'desired'>): DesiredTalos {
  const { talos } = machineOf(desired, machine)
  if (talos === undefined) throw new Error(`no config for ${machine}: ${whatIsMissing(desired)}`)
  return talos
}

function whatIsMissing({ cluster }: Pick<Desired, 'cluster'>): string {
  return cluster.endpoint === undefined
    ? 'the endpoint, which is the address of the first control plane, is not known'
    : 'the secrets are missing'
}

/** The config for a running machine: its firewall stays unchanged, and has a separate step. */
export async function configFor(machine: string, node: TalosNode, context: WorkContext): Promise<string> {
  const talos = wantedTalos(machine, context)
  if (context.desired.cluster.firewallTrialMs === undefined) return talos.config
  return talos.withRulesOf(await node.resources.persistedConfig(context.signal))
}

/** Whether its active config is equivalent to the wanted one. */
export async function hasWantedConfig(machine: string, context: WorkContext): Promise<boolean> {
  const address = await findAddress(machine, context)
  if (address === undefined) return false
  const node = context.talos.node({ machine, address })
  const active = await node.resources.machineConfig(context.signal)
  if (active === wantedTalos(machine, context).config) return true
  const { tag } = await node.version(context.signal)
  return machineOf(context.desired, machine).talos?.differenceFrom(active, tag).fields.length === 0
}

/** The state once it runs the wanted config. */
export function setWantedConfig(model: Model, desired: Desired, machine: string): void {
  changeMachine(model, desired, machine, ({ talos }) => {
    const wanted = machineOf(desired, machine).talos
    if (talos.reach !== 'secured' || wanted === undefined) return {}
    const before = talos.persisted?.seen ? talos.persisted : talos.config
    return { talos: { ...talos, config: seen(before.seen ? wanted.withRulesOf(before.value) : wanted.config) } }
  })
}
