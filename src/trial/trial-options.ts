import { createHash } from 'node:crypto'
import { marked } from '../vm/marked.js'
import { type OptionChange, type OwnedVm, setOwned } from '../vm/owned-vm.js'
import type { WorkContext } from '../work/work-context.js'
import { readTrial, withoutTrial, withTrial } from './trial.js'

export interface TriedChange {
  readonly machine: string
  /** The ID of the step that makes the change. */
  readonly step: string
  readonly timeoutMs: number
  change(owned: OwnedVm): OptionChange
}

/**
 * Sets options of a VM and records the previous values in its mark, both in one call, so that neither exists without
 * the other. Values recorded by an earlier trial are kept.
 */
export async function tryOptions(
  { machine, step, timeoutMs, change }: TriedChange,
  context: WorkContext,
): Promise<void> {
  const hash = createHash('sha256').update(step).digest('hex').slice(0, 12)
  await setOwned(
    machine,
    (owned) => {
      const { mark, config } = owned
      const changed = change(owned)
      const before = Object.fromEntries(Object.keys(changed).map((key) => [key, config.options[key]]))
      const deadline = new Date(context.clock.now() + timeoutMs)
      const trial = { step: hash, deadline, before: { ...before, ...readTrial(mark)?.before } }
      return {
        ...changed,
        description: marked(config.options.description, withTrial(mark, trial), context.desired),
      }
    },
    context,
  )
}

/** Ends the trial and keeps the new values. */
export async function keepOptions(machine: string, spec: string, context: WorkContext): Promise<void> {
  await setOwned(
    machine,
    ({ mark, config: { options } }) => {
      if (readTrial(mark) === undefined) return undefined
      return { description: marked(options.description, { ...withoutTrial(mark), spec }, context.desired) }
    },
    context,
  )
}

/** Restores the recorded values and ends the trial, in one call. Returns whether there was one. */
export async function undoOptions(machine: string, context: WorkContext): Promise<boolean> {
  let isNoted = false
  await setOwned(
    machine,
    ({ mark, config: { options } }) => {
      const trial = readTrial(mark)
      isNoted = trial !== undefined
      if (trial === undefined) return undefined
      return { ...trial.before, description: marked(options.description, withoutTrial(mark), context.desired) }
    },
    context,
  )
  return isNoted
}
