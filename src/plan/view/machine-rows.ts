import type { Machine, VmRef } from '../../cluster/machine.js'
import type { DesiredCluster, DesiredDisk } from '../../desired/desired.js'
import type { MachineRow } from '../../events/plan-view.js'
import type { NodeInfo } from '../../kubernetes/port.js'
import type { ObservedTalos } from '../../observe/observed.js'
import { deleteMachine } from '../../steps/delete-machine.js'
import { releaseMachine } from '../../steps/release-machine.js'
import { shutDownMachine } from '../../steps/shut-down-machine.js'
import type { Plan, PlannedStep } from '../plan.js'
import { reasonsOf } from './row-reasons.js'

/** The facts behind a plan that users see. */
export interface PlanFacts {
  readonly desired: {
    readonly cluster: Pick<DesiredCluster, 'name' | 'target' | 'endpoint'>
    readonly machines: readonly WantedMachine[]
    readonly addons: readonly { readonly name: string; readonly version: string }[]
  }
  readonly observed: {
    readonly machines: readonly SeenMachine[]
    readonly templates: readonly SeenTemplate[]
    readonly secrets: { readonly clusterId?: string }
  }
}

export interface WantedMachine extends VmRef {
  readonly machine: Pick<Machine, 'name' | 'cpu' | 'memory' | 'disks' | 'extensions'>
  readonly address?: string
  readonly disks: readonly Pick<DesiredDisk, 'slot' | 'datastore' | 'size'>[]
}

export interface SeenMachine extends VmRef {
  readonly name: string
  readonly address?: string
  readonly talos?: ObservedTalos
  readonly node?: Pick<NodeInfo, 'kubeletVersion'>
}

interface SeenTemplate extends VmRef {
  readonly name: string
}

/** The machines of a plan, in the order of its steps. */
export function machineRows({ steps }: Pick<Plan, 'steps'>, { desired, observed }: PlanFacts): MachineRow[] {
  const templates = new Set(observed.templates.map(({ name }) => name))
  const groups = new Map<string, PlannedStep[]>()
  for (const step of steps) {
    if (step.machine === undefined || !step.changes || templates.has(step.machine)) continue
    groups.set(step.machine, [...(groups.get(step.machine) ?? []), step])
  }
  const wanted = new Map(desired.machines.map((one) => [one.machine.name, one]))
  const seen = new Map(observed.machines.map((one) => [one.name, one]))
  return [...groups].map(([name, own]) => rowOf(name, own, wanted.get(name), seen.get(name)))
}

function rowOf(
  name: string,
  steps: readonly PlannedStep[],
  wanted: WantedMachine | undefined,
  seen: SeenMachine | undefined,
): MachineRow {
  const action = actionOn(steps, wanted, seen)
  return {
    name,
    action,
    host: seen?.host ?? wanted?.host ?? null,
    vmid: seen?.vmid ?? wanted?.vmid ?? null,
    address: wanted?.address ?? seen?.address ?? null,
    cpu: wanted?.machine.cpu ?? null,
    memory: wanted?.machine.memory ?? null,
    disks: (wanted?.disks ?? []).map(({ slot, datastore, size }) => ({
      slot,
      datastore,
      size,
      volume: wanted?.machine.disks[Number(slot.replace(/\D+/, '')) - 1]?.volume ?? null,
    })),
    loses: steps.flatMap(({ loses }) => loses),
    reasons: reasonsOf(action, steps, wanted, seen),
    disruptive: steps.some((step) => step.disruptive),
  }
}

const staying: ReadonlySet<string> = new Set([shutDownMachine.kind, releaseMachine.kind])

/**
 * A cluster that is shut down or released stays, whatever the inventory wants of it. A VM that is deleted and made again is a
 * replacement, whatever happens in between.
 */
function actionOn(
  steps: readonly PlannedStep[],
  wanted: WantedMachine | undefined,
  seen: SeenMachine | undefined,
): MachineRow['action'] {
  if (steps.some(({ kind }) => staying.has(kind))) return 'change'
  if (wanted === undefined) return 'delete'
  if (seen === undefined) return 'create'
  return steps.some(({ kind }) => kind === deleteMachine.kind) ? 'replace' : 'change'
}
