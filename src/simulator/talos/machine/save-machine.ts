import { parseMachineConfig } from '../config/documents.js'
import { revertAt } from './apply-config.js'
import type { Stage, TalosMachine } from './machine.js'
import type { ServiceEntry } from './services.js'

interface SavedMachine {
  readonly stage: Stage
  readonly apiMode: 'closed' | 'maintenance' | 'secured'
  readonly services: readonly ServiceEntry[]
  readonly certificate?: TalosMachine['certificate']
  /** The active config if it differs from the one on disk. */
  readonly tried?: string
  /** The config that it reverts to when its trial ends, and when. */
  readonly reverts?: { readonly to: string; readonly at: number }
}

/** The essential memory of a machine: its stage, services, certificate, and a config under test. */
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

/** Restores it, so that the following boot takes no time and ends in the same stage. */
export function resumeMachine(machine: TalosMachine, saved: unknown): void {
  const { stage, apiMode, services, certificate, tried } = saved as SavedMachine
  if (apiMode === 'closed') return
  machine.isResuming = true
  machine.stage = stage === 'maintenance' || stage === 'running' ? stage : 'booting'
  machine.services.restore(services)
  machine.certificate = certificate
  if (tried !== undefined) machine.resumedConfig = parseMachineConfig(Buffer.from(tried))
}

/** Once its boot has begun: a trial from before the save reverts in time. */
export function resumeTrial(machine: TalosMachine, saved: unknown): void {
  const { reverts } = saved as SavedMachine
  if (reverts !== undefined) revertAt(machine, parseMachineConfig(Buffer.from(reverts.to)), reverts.at)
}
