import { ConfigLoadErrorEventSchema } from '../../../wire/machine/events_pb.js'
import { ConfigUnreadable, type MachineConfig, parseMachineConfig } from '../config/documents.js'
import { validateStoredConfig } from '../config/validate.js'
import { findMetalConfig } from '../media/cidata.js'
import type { TalosMachine } from './machine.js'

/** The config at boot: that in STATE, otherwise the platform's. An invalid one is reported and not used. */
export function findConfig(machine: TalosMachine): MachineConfig | undefined {
  if (machine.resumedConfig !== undefined) return takeResumed(machine)
  const stored = machine.system?.state?.config
  const bytes = stored === undefined ? platformConfig(machine) : Buffer.from(stored)
  if (bytes === undefined || bytes.length === 0) return undefined
  try {
    const config = parseMachineConfig(bytes)
    const problems = validateStoredConfig(config, contextOf(machine))
    if (problems.length > 0) throw new ConfigUnreadable(problems.join('\n'))
    return config
  } catch (error) {
    if (!(error instanceof ConfigUnreadable)) throw error
    tellBrokenConfig(machine, error.message)
    return undefined
  }
}

function platformConfig({ seed, asset, hardware }: TalosMachine): Uint8Array | undefined {
  const readsIso = asset?.platform === 'metal' && asset.kernelArgs.includes('talos.config=metal-iso')
  return readsIso ? findMetalConfig(hardware.cds) : seed?.config
}

function takeResumed(machine: TalosMachine): MachineConfig | undefined {
  const config = machine.resumedConfig
  machine.resumedConfig = undefined
  return config
}

/** Writes the active config to STATE, if it exists. A saved machine may continue with one that is not on its disk. */
export function adoptConfig(machine: TalosMachine): void {
  const { system, config } = machine
  if (system?.state === undefined || config === undefined) return
  if (!machine.isResuming || system.state.config === undefined) system.state.config = config.text
  system.ephemeral ??= { images: [] }
}

export function contextOf(machine: TalosMachine) {
  return {
    talos: machine.asset?.talos ?? 'v1.0.0',
    platform: machine.asset?.platform ?? ('metal' as const),
    isInstalled: machine.system !== undefined,
  }
}

function tellBrokenConfig(machine: TalosMachine, problem: string): void {
  machine.configIsBroken = true
  machine.events.emit(ConfigLoadErrorEventSchema, { error: problem })
  machine.log(`[talos] config loading failed: ${problem}`)
  machine.record('machine.config-broken', { problem })
}
