import { readMark, writeMark } from '../ownership/mark.js'
import type { VmOptions } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import type { OwnedVm } from './owned-vm.js'
import type { StepContext } from './step.js'
import { taskProgress } from './task-progress.js'

/** Sets options by a worker, which may import disks. Tags that this token may not set are left out, and the mark says so. */
export async function configureOwned(
  owned: OwnedVm,
  set: VmOptions,
  world: World,
  context: StepContext,
): Promise<void> {
  context.assertLease()
  try {
    const task = await world.proxmox.machines.configure(owned, { set, digest: owned.config.digest }, context.signal)
    await world.proxmox.tasks.wait(task, context.signal, taskProgress(context))
  } catch (thrown) {
    if ((thrown as { kind?: unknown }).kind !== 'forbidden-tag' || set.tags === undefined) throw thrown
    context.note('this token may not set tags: the machine goes without')
    await configureOwned(owned, withoutTags(set, owned), world, context)
  }
}

function withoutTags({ tags: _, ...set }: VmOptions, { mark, config: { options } }: OwnedVm): VmOptions {
  const description = String(set.description ?? options.description ?? '')
  const reported = readMark(description) ?? mark
  return { ...set, description: writeMark(description, { ...reported, more: { ...reported.more, tags: 'forbidden' } }) }
}
