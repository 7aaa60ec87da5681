import type { Mark } from '../ownership/mark.js'
import type { WorkContext } from '../work/work-context.js'
import { findOwned } from './owned-vm.js'

/** The snapshot that etcd was restored from while the machine was running; set until it has restarted. */
export function awaitedRestart({ more }: Mark): string | undefined {
  return more?.restart
}

export function withRestart(mark: Mark, snapshot: string): Mark {
  return { ...mark, more: { ...mark.more, restart: snapshot } }
}

export function withoutRestart({ more, ...mark }: Mark): Mark {
  const { restart: _, ...rest } = more ?? {}
  return Object.keys(rest).length === 0 ? mark : { ...mark, more: rest }
}

export async function awaitsRestart(machine: string, context: WorkContext): Promise<boolean> {
  const owned = await findOwned(machine, context)
  return owned !== undefined && awaitedRestart(owned.mark) !== undefined
}
