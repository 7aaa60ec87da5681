import { z } from 'zod'
import { canonicalJson } from '../cluster/canonical.js'
import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import type { Model } from '../work/model.js'
import type { StepInputs } from '../work/step-inputs.js'
import type { WorkContext } from '../work/work-context.js'

export interface StepContext extends WorkContext {
  /** Releases the lease for good and deletes the pool of the cluster: the last step of `destroy`. */
  endLease(): Promise<void>
  /** Resolves the desired state again for the following steps: the secrets exist now, which marks and configs need. */
  resolveAgain(): Promise<void>
}

export interface Lane {
  readonly name: string
  readonly limit: number
}

/** Where in a Talos upgrade a step belongs: before all machines, to one machine, or after all machines. */
type UpgradePart = 'before' | 'machine' | 'after'

/** What is true of all steps of a kind. */
export interface StepTraits {
  /** Whether running it changes something. Waiting does not. */
  readonly changes: boolean
  readonly disruptive: boolean
  /** Undoes what an interrupted run left without disturbing anything: a later round may add it without consent. */
  readonly restores?: true
  /** Softens the disruption of a machine: consent to the disruption covers it. */
  readonly softens?: true
  /** Applies the wanted config of a machine. The config of a machine that is off cannot be compared before it runs. */
  readonly setsConfig?: true
  /** Writes the VM in Proxmox, which refuses that while another task has locked the VM. */
  readonly writesVm?: true
  /** Installs software whose digest a lock file pins. */
  readonly installs?: 'talos' | 'addon'
  /** For steps that only exist in upgrades, and for those that only prepare one. */
  readonly inUpgrade?: UpgradePart
  /** Follows from another step of its machine: its reason is no news of its own. */
  readonly follows?: true
  /** Its row in the plan, where the reason only makes sense beside the title. */
  sentence?(reason: string, title: string): string
}

/** One idempotent action. Its arguments name machines, never hosts or VMIDs, because migration and HA change those. */
export interface StepDefinition<A extends object> extends StepTraits {
  readonly kind: string
  readonly args: z.ZodType<A>
  title(args: A, desired: Desired): string
  /** Limits how many of these steps run at once; without a lane there is no limit. */
  lane?(args: A, desired: Desired, observed: Observed): Lane | undefined
  inputs?(args: A, desired: Desired, observed: Observed): StepInputs
  /** Data that is lost afterwards, in words. */
  loses?(args: A, observed: Observed): readonly string[]
  /** Checked before the step runs, and again before it counts as failed. */
  done(args: A, context: StepContext): Promise<boolean>
  /** Runs between `done` and `run`, on freshly read facts; throws `PlanRefused`. */
  guard?(args: A, context: StepContext): Promise<void>
  run(args: A, context: StepContext): Promise<void>
  /** For a change that may cut off our access. `run` records on the object that the change is under test. */
  readonly trial?: Tried<[args: A, context: StepContext]>
  /** The predicted state afterwards, used to plan later rounds. */
  effect(args: A, model: Model, desired: Desired): void
}

/** How a change under test ends. */
export interface Tried<P extends unknown[]> {
  /** Returns once the change is verified to do no harm; throws if that does not happen in time. */
  prove(...about: P): Promise<void>
  /** Makes the change permanent. */
  keep(...about: P): Promise<void>
  /** Undoes the change; returns whether there was one. The next run calls it again if neither happened. */
  undo(...about: P): Promise<boolean>
}

/** A step with its arguments. */
export interface BoundStep {
  readonly kind: string
  readonly args: Readonly<Record<string, unknown>>
  /** The machine it changes, if it is a single one. */
  readonly machine: string | undefined
  readonly traits: StepTraits
  title(desired: Desired): string
  lane(desired: Desired, observed: Observed): Lane | undefined
  inputs(desired: Desired, observed: Observed): StepInputs | undefined
  loses(observed: Observed): readonly string[]
  done(context: StepContext): Promise<boolean>
  guard(context: StepContext): Promise<void>
  run(context: StepContext): Promise<void>
  readonly trial?: Tried<[context: StepContext]>
  effect(model: Model, desired: Desired): void
}

/** A step kind whose arguments are data. */
export interface StepKind {
  readonly kind: string
  readonly traits: StepTraits
  parse(args: unknown): BoundStep
}

/** A step kind whose arguments are typed. */
export interface Step<A extends object> extends StepKind {
  readonly bind: (args: A) => BoundStep
}

export function defineStep<A extends object>(step: StepDefinition<A>): Step<A> {
  const { kind, args: schema, title, lane, inputs, loses, done, guard, run, trial, effect, ...traits } = step
  const bind = (args: A): BoundStep => ({
    kind,
    args: Object.fromEntries(Object.entries(args)),
    machine: 'machine' in args && typeof args.machine === 'string' ? args.machine : undefined,
    traits,
    title: (desired) => title(args, desired),
    lane: (desired, observed) => lane?.(args, desired, observed),
    inputs: (desired, observed) => inputs?.(args, desired, observed),
    loses: (observed) => loses?.(args, observed) ?? [],
    done: (context) => done(args, context),
    guard: async (context) => guard?.(args, context),
    run: (context) => run(args, context),
    ...(trial === undefined
      ? {}
      : {
          trial: {
            prove: (context) => trial.prove(args, context),
            keep: (context) => trial.keep(args, context),
            undo: (context) => trial.undo(args, context),
          },
        }),
    effect: (model, desired) => effect(args, model, desired),
  })
  return { kind, traits, bind, parse: (args) => bind(schema.parse(args)) }
}

/** Kind and arguments: different work has a different ID. */
export function stepId(kind: string, args: object): string {
  const text = canonicalJson(args)
  return text === '{}' ? kind : `${kind}?${text}`
}

export const noArgs = z.strictObject({})
export const machineArgs = z.strictObject({ machine: z.string() })
