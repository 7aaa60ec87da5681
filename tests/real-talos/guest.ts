import type { MaintenanceNode, TalosNode } from '../../src/talos/api/port.js'
import { clientOf } from './node-client.js'
import type { Subject } from './subject.js'
import { until } from './until.js'
import { startVm, type VmInput } from './virtual-machine.js'

/** A real node with what the checks talk to it through. */
export interface Guest {
  readonly subject: Subject
  readonly node: TalosNode
  readonly maintenance: MaintenanceNode
  readonly signal: AbortSignal
  /** Asks until there is an answer; fails when the time is up, or at once if the VM is gone. */
  until<T>(what: string, seconds: number, ask: () => Promise<T | undefined>): Promise<T>
  /** What it has written to its serial console since it was switched on. */
  console(): string
  powerCycle(): Promise<void>
  /** Waits until the VM has switched itself off. */
  isOff(): Promise<boolean>
  /** Whether that partition of a disk can still be read. */
  hasFilesystem(slot: string, label: string): boolean
  close(): Promise<void>
}

export async function startGuest(input: VmInput): Promise<Guest> {
  const { subject } = input
  const vm = await startVm(input)
  const { node, maintenance, close } = clientOf(subject, vm)
  return {
    subject,
    node,
    maintenance,
    signal: AbortSignal.timeout(60 * 60_000),
    until: async (what, seconds, ask) => {
      try {
        return await until(what, seconds, ask, vm.end)
      } catch (error) {
        const lines = vm.console().trimEnd().split('\n')
        // Without a config it looks for a time server once a second.
        const last = lines
          .filter((line) => !line.includes('time.SyncController'))
          .slice(-15)
          .join('\n')
        throw new Error(`${error instanceof Error ? error.message : error}\nthe console ends with:\n${last}`)
      }
    },
    console: vm.console,
    powerCycle: vm.powerCycle,
    isOff: vm.ended,
    hasFilesystem: vm.hasFilesystem,
    close: async () => {
      await close()
      await vm.close()
    },
  }
}
