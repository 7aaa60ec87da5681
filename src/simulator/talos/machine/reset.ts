import { blockDevices } from '../disks/drives.js'
import { wipeDisk } from '../disks/system-disk.js'
import type { Boot } from './boot.js'
import { startMachine } from './boot-sequence.js'
import { drainItself } from './drain.js'
import { durations } from './durations.js'
import { leaveEtcd } from './leave-etcd.js'
import type { TalosMachine } from './machine.js'
import { stopServices } from './power.js'

export interface ResetOptions {
  readonly graceful: boolean
  readonly reboot: boolean
  /** Empty: the whole system disk. */
  readonly partitions: readonly string[]
  readonly userDisks: readonly string[]
  readonly keepsSystemDisk: boolean
}

const leaveForMs = 5 * 60_000
/** How long Talos waits for the ID of its own member, which it knows only while its etcd is healthy. */
const knowItselfForMs = 3 * 60_000

/** Leaves the cluster if requested, wipes the named volumes, and reboots or powers off. */
export async function reset(boot: Boot, options: ResetOptions, actor: string): Promise<void> {
  const { machine } = boot
  machine.setStage('resetting')
  if (options.graceful && !(await leave(boot))) {
    machine.log('[talos] reset sequence failed: etcd cannot be left')
    return startMachine(machine, 'kexec')
  }
  await stopServices(boot, 'resetting', actor)
  await boot.pause(durations.wipe)
  wipe(machine, options)
  if (options.reboot) return startMachine(machine, 'cold')
  await machine.switchOff()
}

/**
 * Tries for five minutes; the last member of an etcd can never leave. An etcd that waits for its next start is not
 * asked to leave: its member stays in the list.
 */
async function leave(boot: Boot): Promise<boolean> {
  const { machine } = boot
  await drainItself(boot)
  if (!runs(machine)) return true
  const { facts, nodeId, fleet } = machine
  if (!(await knowsItsMember(boot))) return false
  for (const start = fleet.clock.now(); fleet.clock.now() - start < leaveForMs; ) {
    try {
      leaveEtcd(machine)
      if (facts !== undefined) fleet.discovery.withdraw(facts.clusterId, nodeId)
      return true
    } catch {
      await boot.wait(durations.retry)
    }
  }
  return false
}

function runs({ services }: TalosMachine): boolean {
  return ['Running', 'Stopping', 'Failed'].includes(services.find('etcd')?.state ?? '')
}

async function knowsItsMember(boot: Boot): Promise<boolean> {
  const { services, fleet } = boot.machine
  for (const start = fleet.clock.now(); fleet.clock.now() - start < knowItselfForMs; await boot.wait(durations.retry))
    if (services.isHealthy('etcd')) return true
  return false
}

function wipe(machine: TalosMachine, { partitions, userDisks, keepsSystemDisk }: ResetOptions): void {
  const { system, hardware } = machine
  const devices = blockDevices(hardware)
  for (const device of devices) {
    const isSystem = system !== undefined && device.disk?.content.guest === system
    if (device.disk === undefined) continue
    if (userDisks.includes(device.path) || (isSystem && partitions.length === 0 && !keepsSystemDisk))
      wipeDisk(device.disk)
  }
  if (system !== undefined && partitions.includes('STATE')) delete system.state
  if (system !== undefined && partitions.includes('EPHEMERAL')) delete system.ephemeral
  if (system !== undefined && partitions.includes('META')) system.meta = {}
  machine.record('machine.wiped', { partitions: partitions.length === 0 ? 'all' : partitions, userDisks }, true)
}
