import { parseMachineConfig } from '../config/documents.js'
import type { Stage, TalosMachine } from './machine.js'
import type { ServiceEntry } from './services.js'

interface SavedMachine {
  readonly stage: Stage
  readonly apiMode: 'closed' | 'maintenance' | 'secured'
  readonly services: readonly ServiceEntry[]
  readonly certificate?: TalosMachine['certificate']
  /** The active config where it is not the one on disk. */
  readonly tried?: string
}

/** What a machine holds in memory and would miss: its stage, services, certificate, and a config that is only tried. */
export function saveMachine(machine: TalosMachine): SavedMachine {
  const { stage, services, certificate, config, system } = machine
  const isTried = config !== undefined && config.text !== system?.state?.config
  return {
    stage,
    apiMode: machine.api.mode,
    services: services.list(),
    ...(certificate === undefined ? {} : { certificate }),
    ...(isTried ? { tried: config.text } : {}),
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
