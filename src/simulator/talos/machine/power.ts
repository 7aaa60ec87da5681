import type { Boot } from './boot.js'
import { type Start, startMachine } from './boot-sequence.js'
import { durations } from './durations.js'
import type { Stage, TalosMachine } from './machine.js'

/** Goes down in order and switches the VM off. */
export async function shutDown(machine: TalosMachine): Promise<void> {
  await stopServices(machine.boot, 'shutting down')
  await machine.switchOff()
}

/** Goes down in order and comes back. */
export async function reboot(machine: TalosMachine, start: Start): Promise<void> {
  await stopServices(machine.boot, 'rebooting')
  startMachine(machine, start)
}

/** Services stop one after the other; the VIP is given back at once. */
export async function stopServices(boot: Boot, stage: Stage): Promise<void> {
  const { machine } = boot
  machine.setStage(stage)
  machine.fleet.vips.release(machine)
  for (const id of ['kubelet', 'etcd', 'cri']) {
    if (machine.services.find(id) !== undefined) machine.services.set(id, 'Stopping', 'Stopping service')
  }
  await boot.pause(durations.stopServices)
}
