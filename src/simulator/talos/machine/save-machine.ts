import { parseMachineConfig } from '../config/documents.js'
import { revertAt } from './apply-config.js'
import type { Stage, TalosMachine } from './machine.js'
import type { ServiceEntry } from './services.js'

interface SavedMachine {
  readonly stage: Stage
  readonly apiMode: 'closed' | 'maintenance' | 'secured'
  readonly services: readonly ServiceEntry[]
  readonly certificate?: TalosMachine['certificate']
  /** The active config where it is not the one on disk. */
  readonly tried?: string
  /** The config that it goes back to when its trial ends, and when that is. */
  readonly reverts?: { readonly to: string; readonly at: number }
}

/** What a machine holds in memory and would miss: its stage, services, certificate, and a config that is only tried. */
export function saveMachine(machine: TalosMachine): SavedMachine {
  const { stage, services, certificate, config, system, trial } = machine
  const isTried = config !== undefined && config.text !== system?.state?.config
  return {
    stage,
    apiMode: machine.api.mode,
    services: services.list(),
    ...(certificate === undefined ? {} : { certificate }),
    ...(isTried ? { tried: config.text } : {}),
    ...(trial === undefined ? {} : { reverts: { to: trial.before.text, at: trial.at } }),
  }
}

/** Puts it back, so that the boot that follows takes no time and ends in the same stage. */
export function resumeMachine(machine: TalosMachine, saved: unknown): void {
  const { stage, apiMode, services, certificate, tried } = saved as SavedMachine
  if (apiMode === 'closed') return
  machine.isResuming = true
  machine.stage = stage === 'maintenance' || stage === 'running' ? stage : 'booting'
  machine.services.restore(services)
  machine.certificate = certificate
  if (tried !== undefined) machine.resumedConfig = parseMachineConfig(Buffer.from(tried))
}

/** Once its boot has begun: what was tried when it was saved goes back in its time. */
export function resumeTrial(machine: TalosMachine, saved: unknown): void {
  const { reverts } = saved as SavedMachine
  if (reverts !== undefined) revertAt(machine, parseMachineConfig(Buffer.from(reverts.to)), reverts.at)
}
