import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import type { World } from '../world.js'

/** What a step is about. It names machines, never hosts or VMIDs: migration and HA move them. */
export interface StepArgs {
  readonly machine?: string
  readonly [detail: string]: string | number | boolean | readonly string[] | undefined
}

export interface StepContext {
  readonly desired: Desired
  /** What was seen when the plan was made: a hint where to look first, never a proof. */
  readonly observed: Observed
  readonly signal: AbortSignal
  /** A line of progress. */
  note(text: string): void
  /** Called before each attempt to change something: throws when the lease is no longer ours. */
  assertLease(): void
  /** Gives the lease up for good, and the pool of the cluster with it: the last step of `destroy`. */
  endLease(): Promise<void>
}

/** One idempotent thing to do. */
export interface Step<A extends StepArgs = StepArgs> {
  readonly kind: string
  title(args: A, desired: Desired): string
  /** What bounds how many of these run at once; without one, nothing does. */
  lane?(args: A, desired: Desired): Lane | undefined
  /** Whether running it changes something; waiting does not. */
  readonly changes: boolean
  readonly disruptive: boolean
  /** Asked before it runs, and again before it is called failed. */
  done(args: A, world: World, context: StepContext): Promise<boolean>
  /** Between `done` and `run`, on facts read then; throws `PlanRefused`. */
  guard?(args: A, world: World, context: StepContext): Promise<void>
  run(args: A, world: World, context: StepContext): Promise<void>
  undo?(args: A, world: World, context: StepContext): Promise<void>
  /** What is seen afterwards: how a plan shows its later rounds. Pure. */
  effect(args: A, observed: Observed, desired: Desired): Observed
}

export interface Lane {
  readonly name: string
  readonly limit: number
}

/** Gives a step the type of its arguments, and hands it on as one of many. */
export function defineStep<A extends StepArgs>(step: Step<A>): Step {
  return step as unknown as Step
}
