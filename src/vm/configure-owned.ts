import type { VmOptions } from '../proxmox/client/port.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { WorkContext } from '../work/work-context.js'
import { marked } from './marked.js'
import { type OwnedVm, setOwned } from './owned-vm.js'
import { taskProgress } from './task-progress.js'
import { missingTags } from './vm-drift.js'

/** Sets options through a task, which may import disks. */
export async function configureOwned(owned: OwnedVm, set: VmOptions, context: WorkContext): Promise<void> {
  context.assertLease()
  const task = await context.proxmox.machines.configure(owned, { set, digest: owned.config.digest }, context.signal)
  await context.proxmox.tasks.wait(task, context.signal, taskProgress(context))
}

/**
 * Sets tags in a separate call: a task that may not set them stops half-way through its other options. If this token
 * may not set tags, the mark records that and the machine gets none.
 */
export async function tagOwned(name: string, context: WorkContext): Promise<void> {
  const { desired } = context
  const tags = ({ config: { options } }: OwnedVm) => missingTags(desired.cluster.tags, options)
  const set = (owned: OwnedVm) => {
    const wanted = tags(owned)
    return wanted === undefined ? undefined : { tags: wanted }
  }
  try {
    await setOwned(name, set, context)
  } catch (thrown) {
    if (!isProxmoxError(thrown, 'forbidden-tag')) throw thrown
    context.note('this token may not set tags: the machine gets none')
    await setOwned(name, (owned) => ({ description: withoutTags(owned, context) }), context)
  }
}

function withoutTags({ mark, config }: OwnedVm, { desired }: WorkContext): string {
  return marked(config.options.description, { ...mark, more: { ...mark.more, tags: 'forbidden' } }, desired)
}
