import type { MachineConfig } from '../config/documents.js'
import { settleVolumes } from '../disks/volumes.js'
import { readdress } from './boot-sequence.js'
import type { TalosMachine } from './machine.js'
import { publish } from './run-services.js'

/** Makes a config active: addresses, names, certificates and services follow. */
export async function activate(machine: TalosMachine, config: MachineConfig): Promise<void> {
  machine.setConfig(config)
  if (machine.stage === 'maintenance' && machine.facts !== undefined) return
  settleVolumes(machine)
  readdress(machine)
  publish(machine)
  await machine.api.refresh()
}

/** Writes a config to STATE without making it active. */
export function persist(machine: TalosMachine, config: MachineConfig): void {
  if (machine.system === undefined) return
  machine.system.state ??= { nodeId: machine.nodeId }
  machine.system.state.config = config.text
}

/** Active for a while and then reverted, unless another config is applied before. */
export async function tryConfig(machine: TalosMachine, config: MachineConfig, modelMs: number): Promise<void> {
  const before = machine.config
  keepTrial(machine)
  await activate(machine, config)
  if (before !== undefined) revertAt(machine, before, machine.fleet.clock.now() + modelMs)
}

/** The config from before the trial becomes active again; a boot before that ends the trial as well. */
export function revertAt(machine: TalosMachine, before: MachineConfig, at: number): void {
  const { signal } = machine.boot
  const { clock } = machine.fleet
  const cancel = clock.after(at - clock.now(), () => {
    machine.trial = undefined
    if (signal.aborted) return
    machine.record('config.reverted')
    void activate(machine, before)
  })
  machine.trial = { before, at, cancel }
}

/** Ends a trial without reverting it: the config stays active, but is not on disk. */
export function keepTrial(machine: TalosMachine): void {
  machine.trial?.cancel()
  machine.trial = undefined
}
