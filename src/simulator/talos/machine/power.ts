import { TaskEvent_Action, TaskEventSchema } from '../../../wire/machine/events_pb.js'
import type { Boot } from './boot.js'
import { type Start, startMachine } from './boot-sequence.js'
import { durations } from './durations.js'
import type { Stage, TalosMachine } from './machine.js'

/** Goes down in order and switches the VM off. */
export async function shutDown(machine: TalosMachine, actor = ''): Promise<void> {
  await stopServices(machine.boot, 'shutting down', actor)
  await machine.switchOff()
}

/** Goes down in order and comes back. */
export async function reboot(machine: TalosMachine, start: Start, actor = ''): Promise<void> {
  await stopServices(machine.boot, 'rebooting', actor)
  startMachine(machine, start)
}

/** Services stop one after the other; the VIP is given back at once. Who asked for it sees when it begins and ends. */
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
