import { z } from 'zod'
import { canonicalJson } from '../cluster/canonical.js'
import type { Desired } from '../desired/desired.js'
import type { Model } from '../machine/model.js'
import type { StepInputs } from '../machine/step-inputs.js'
import type { WorkContext } from '../machine/work-context.js'
import type { Observed } from '../observe/observed.js'
import type { World } from '../world.js'

export interface StepContext extends WorkContext {
  /** Gives the lease up for good, and the pool of the cluster with it: the last step of `destroy`. */
  endLease(): Promise<void>
  /** Works out again what is wanted, for the steps after this one: there are secrets now, which marks and configs need. */
  resolveAgain(): Promise<void>
}

export interface Lane {
  readonly name: string
  readonly limit: number
}

/**
 * One idempotent thing to do. Its arguments name machines, never hosts or VMIDs: migration and HA move them.
 */
export interface StepDefinition<A extends object> {
  readonly kind: string
  readonly args: z.ZodType<A>
  title(args: A, desired: Desired): string
  /** What bounds how many of these run at once; without one, nothing does. */
  lane?(args: A, desired: Desired, observed: Observed): Lane | undefined
  /** Whether running it changes something; waiting does not. */
  readonly changes: boolean
  readonly disruptive: boolean
  /** It takes back what an interrupted run of ours left, and disturbs nobody: a later round may want it unannounced. */
  readonly restores?: true
  /** It makes the interruption of a machine gentler: who agreed to the interruption agreed to it. */
  readonly cushions?: true
  /** It gives a machine its wanted config. What a machine that is off has cannot be compared before it runs. */
  readonly setsConfig?: true
  inputs?(args: A, desired: Desired, observed: Observed): StepInputs
  /** Data that is gone for good afterwards, in words. */
  loses?(args: A, observed: Observed): readonly string[]
  /** Asked before it runs, and again before it is called failed. */
  done(args: A, world: World, context: StepContext): Promise<boolean>
  /** Between `done` and `run`, on facts read then; throws `PlanRefused`. */
  guard?(args: A, world: World, context: StepContext): Promise<void>
  run(args: A, world: World, context: StepContext): Promise<void>
  /** For a change that may cut us off. `run` then notes on the object that it is only tried. */
  readonly trial?: Tried<[args: A, world: World, context: StepContext]>
  /** What is seen afterwards: how a plan shows its later rounds. */
  effect(args: A, model: Model, desired: Desired): void
}

/** How what was tried ends. */
export interface Tried<P extends unknown[]> {
  /** Returns once it is seen that the change does no harm; throws when that is not seen in time. */
  prove(...about: P): Promise<void>
  /** From now on it stays. */
  keep(...about: P): Promise<void>
  /** Takes it back; whether there was something to take back. Called again by the next run, when nobody did either. */
  undo(...about: P): Promise<boolean>
}

/** A step with its arguments. */
export interface BoundStep {
  readonly kind: string
  readonly args: Readonly<Record<string, unknown>>
  /** The machine that it is about, where it is about one. */
  readonly machine: string | undefined
  readonly changes: boolean
  readonly disruptive: boolean
  readonly restores: boolean
  readonly cushions: boolean
  readonly setsConfig: boolean
  title(desired: Desired): string
  lane(desired: Desired, observed: Observed): Lane | undefined
  inputs(desired: Desired, observed: Observed): StepInputs | undefined
  loses(observed: Observed): readonly string[]
  done(world: World, context: StepContext): Promise<boolean>
  guard(world: World, context: StepContext): Promise<void>
  run(world: World, context: StepContext): Promise<void>
  readonly trial?: Tried<[world: World, context: StepContext]>
  effect(model: Model, desired: Desired): void
}

/** A kind of step, for those who have its arguments as data. */
export interface StepKind {
  readonly kind: string
  readonly disruptive: boolean
  parse(args: unknown): BoundStep
}

/** A kind of step, for those who know its arguments. */
export interface Step<A extends object> extends StepKind {
  readonly bind: (args: A) => BoundStep
}

export function defineStep<A extends object>(step: StepDefinition<A>): Step<A> {
  const { trial } = step
  const bind = (args: A): BoundStep => ({
    kind: step.kind,
    args: Object.fromEntries(Object.entries(args)),
    machine: 'machine' in args && typeof args.machine === 'string' ? args.machine : undefined,
    changes: step.changes,
    disruptive: step.disruptive,
    restores: step.restores ?? false,
    cushions: step.cushions ?? false,
    setsConfig: step.setsConfig ?? false,
    title: (desired) => step.title(args, desired),
    lane: (desired, observed) => step.lane?.(args, desired, observed),
    inputs: (desired, observed) => step.inputs?.(args, desired, observed),
    loses: (observed) => step.loses?.(args, observed) ?? [],
    done: (world, context) => step.done(args, world, context),
    guard: async (world, context) => step.guard?.(args, world, context),
    run: (world, context) => step.run(args, world, context),
    ...(trial === undefined
      ? {}
      : {
          trial: {
            prove: (world, context) => trial.prove(args, world, context),
            keep: (world, context) => trial.keep(args, world, context),
            undo: (world, context) => trial.undo(args, world, context),
          },
        }),
    effect: (model, desired) => step.effect(args, model, desired),
  })
  return { kind: step.kind, disruptive: step.disruptive, bind, parse: (args) => bind(step.args.parse(args)) }
}

/** Kind and arguments: other work has another id. */
export function stepId(kind: string, args: object): string {
  const text = canonicalJson(args)
  return text === '{}' ? kind : `${kind}?${text}`
}

export const noArgs = z.strictObject({})
export const machineArgs = z.strictObject({ machine: z.string() })
