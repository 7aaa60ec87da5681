import { TaskEvent_Action, TaskEventSchema } from '../../../wire/machine/events_pb.js'
import type { Boot } from './boot.js'
import { type Start, startMachine } from './boot-sequence.js'
import { durations } from './durations.js'
import type { Stage, TalosMachine } from './machine.js'

/** Shuts down gracefully and powers the VM off. */
export async function shutDown(machine: TalosMachine, actor = ''): Promise<void> {
  await stopServices(machine.boot, 'shutting down', actor)
  await machine.switchOff()
}

/** Shuts down gracefully and reboots. */
export async function reboot(machine: TalosMachine, start: Start, actor = ''): Promise<void> {
  await stopServices(machine.boot, 'rebooting', actor)
  startMachine(machine, start)
}

/** Services stop one after another; the VIP is released at once. The caller sees the start and the end. */
export async function stopServices(boot: Boot, stage: Stage, actor: string): Promise<void> {
  const { machine } = boot
  const publish = (action: TaskEvent_Action) =>
    machine.events.emit(TaskEventSchema, { task: 'stopAllServices', action }, actor)
  machine.setStage(stage)
  machine.fleet.vips.release(machine)
  publish(TaskEvent_Action.START)
  for (const id of ['kubelet', 'etcd', 'cri']) {
    if (machine.services.find(id) !== undefined) machine.services.set(id, 'Stopping', 'Stopping service')
  }
  await boot.pause(durations.stopServices)
  publish(TaskEvent_Action.STOP)
}
