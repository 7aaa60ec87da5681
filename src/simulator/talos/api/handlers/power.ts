import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import {
  type MachineService,
  RebootRequest_Mode,
  type ResetRequest,
  ResetRequest_WipeMode as WipeMode,
} from '../../../../wire/machine/machine_pb.js'
import { otherSlot } from '../../disks/system-disk.js'
import type { TalosMachine } from '../../machine/machine.js'
import { reboot, shutDown } from '../../machine/power.js'
import { reset } from '../../machine/reset.js'
import { findEtcdProblem, findInstallProblem, upgradeByItself } from '../../machine/upgrade.js'
import { machineOf } from '../call-context.js'

/** Everything that reboots, stops or wipes the machine. The response comes first, then the action. */
export const powerHandlers = {
  reboot: ({ mode }, context) => {
    const machine = machineOf(context)
    const actorId = newActor(machine)
    later(machine, () => reboot(machine, mode === RebootRequest_Mode.POWERCYCLE ? 'cold' : 'kexec', actorId))
    return { messages: [{ actorId }] }
  },
  shutdown: (_request, context) => {
    const machine = machineOf(context)
    const actorId = newActor(machine)
    later(machine, () => shutDown(machine, actorId))
    return { messages: [{ actorId }] }
  },
  reset: (request, context) => {
    const machine = machineOf(context)
    refuseOddReset(request)
    const actorId = newActor(machine)
    const partitions = request.systemPartitionsToWipe.filter(({ wipe }) => wipe).map(({ label }) => label)
    const options = {
      graceful: request.graceful,
      reboot: request.reboot,
      partitions,
      userDisks: request.userDisksToWipe,
      keepsSystemDisk: request.mode === WipeMode.USER_DISKS,
    }
    later(machine, () => reset(machine.boot, options, actorId))
    return { messages: [{ actorId }] }
  },
  rollback: (_request, context) => {
    const machine = machineOf(context)
    const { system } = machine
    const slot = system === undefined ? undefined : otherSlot(system.running ?? system.boot)
    if (system === undefined || slot === undefined)
      throw new ConnectError('system disk not found', Code.FailedPrecondition)
    if (system.slots[slot] === undefined) throw new ConnectError('no previous boot entry to roll back to', Code.Unknown)
    system.boot = slot
    later(machine, () => reboot(machine, 'kexec'))
    return { messages: [{}] }
  },
  upgrade: ({ image, stage, force, preserve }, context) => {
    const machine = machineOf(context)
    if (machine.system === undefined) throw new ConnectError('Talos is not installed', Code.FailedPrecondition)
    const problem = findInstallProblem(machine, image)
    if (problem !== undefined)
      throw new ConnectError(`error validating installer image "${image}": ${problem}`, Code.Unknown)
    const etcdProblem = force || preserve ? undefined : findEtcdProblem(machine)
    if (etcdProblem !== undefined) throw new ConnectError(`failed to validate etcd: ${etcdProblem}`, Code.Unknown)
    const actorId = newActor(machine)
    later(machine, () => upgradeByItself(machine.boot, image, stage, actorId))
    return { messages: [{ ack: 'Upgrade request received', actorId }] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

function newActor(machine: TalosMachine): string {
  return machine.fleet.randomHex(16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A sequence runs in parallel to its call; if the machine goes down meanwhile, it just ends. */
function later(machine: TalosMachine, run: () => Promise<void>): void {
  void machine.fleet.clock
    .sleep(answerFirstMs * machine.fleet.clock.speed)
    .then(run)
    .catch(() => {})
}

/** In real time: how long a response needs to reach the caller before the machine goes down. */
const answerFirstMs = 5

function refuseOddReset({ mode, systemPartitionsToWipe, userDisksToWipe }: ResetRequest): void {
  const mixesUser = mode === WipeMode.SYSTEM_DISK && userDisksToWipe.length > 0
  const mixesSystem = mode === WipeMode.USER_DISKS && systemPartitionsToWipe.length > 0
  if (!mixesUser && !mixesSystem) return
  throw new ConnectError('reset failed: invalid input, wipe mode and what is to be wiped do not fit', Code.Unknown)
}
