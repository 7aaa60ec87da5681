import type { Machine, VmRef } from '../../cluster/machine.js'
import type { DesiredCluster, DesiredDisk } from '../../desired/desired.js'
import type { Plan, PlannedStep } from '../../plan/plan.js'

/** The facts behind a plan that users see. */
export interface PlanFacts {
  readonly desired: {
    readonly cluster: Pick<DesiredCluster, 'name' | 'target' | 'endpoint'>
    readonly machines: readonly WantedMachine[]
    readonly addons: readonly { readonly name: string; readonly version: string }[]
  }
  readonly observed: { readonly machines: readonly SeenMachine[]; readonly templates: readonly SeenTemplate[] }
}

interface WantedMachine extends VmRef {
  readonly machine: Pick<Machine, 'name' | 'cpu' | 'memory' | 'disks'>
  readonly address?: string
  readonly disks: readonly Pick<DesiredDisk, 'slot' | 'datastore' | 'size'>[]
}

interface SeenMachine extends VmRef {
  readonly name: string
  readonly address?: string
}

interface SeenTemplate extends VmRef {
  readonly name: string
}

/** A machine that a plan creates, changes or deletes. */
export interface MachineRow {
  readonly name: string
  readonly action: 'create' | 'change' | 'delete'
  readonly host: string | null
  readonly vmid: number | null
  readonly address: string | null
  readonly cpu: number | null
  /** Bytes. */
  readonly memory: number | null
  /** Empty for a machine that is deleted. */
  readonly disks: readonly {
    readonly slot: string
    readonly datastore: string
    readonly size: number
    readonly volume: string | null
  }[]
  readonly loses: readonly string[]
  /** The reasons of its steps. */
  readonly reasons: readonly string[]
  readonly disruptive: boolean
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
  const action = seen === undefined && wanted !== undefined ? 'create' : wanted === undefined ? 'delete' : 'change'
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
    reasons: reasonsOf(steps),
    disruptive: steps.some((step) => step.disruptive),
  }
}

/** The reason of a disruption also covers the steps before and after it. */
function reasonsOf(steps: readonly PlannedStep[]): string[] {
  const interrupting = steps.filter(({ disruptive }) => disruptive)
  return [...new Set((interrupting.length > 0 ? interrupting : steps).map(({ reason }) => reason))]
}
