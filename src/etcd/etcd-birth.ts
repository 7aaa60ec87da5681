import { etcdDataThere } from '../findings/refusals/etcd.js'
import { localMembers } from '../health/etcd-absence.js'
import { findAddress } from '../node/node-address.js'
import type { ObservedMachine } from '../observe/observed.js'
import type { Mark } from '../ownership/mark.js'
import { marked } from '../vm/marked.js'
import { setOwned } from '../vm/owned-vm.js'
import type { WorkContext } from '../work/work-context.js'

/** Every other control plane that existed before this run must report now that it has no etcd. */
export async function guardNoOther(
  machine: string,
  controlPlanes: readonly ObservedMachine[],
  context: WorkContext,
): Promise<void> {
  const others = controlPlanes.filter(
    ({ name, mark, status }) =>
      name !== machine && mark.role === 'controlplane' && (mark.stage !== 'making' || status === 'running'),
  )
  for (const { name } of others) {
    const found = await members(name, context).catch(() => undefined)
    if (found !== undefined && found.length === 0) continue
    throw etcdDataThere.refuse(
      found === undefined
        ? `Cannot determine whether ${name} has etcd data, so no new etcd is bootstrapped.`
        : `${name} already has etcd data: no new etcd is bootstrapped.`,
      {
        subject: { kind: 'machine', name },
        where: `machine ${name}`,
        fix: 'Run the same command again: it checks every control plane first.',
      },
    )
  }
}

/** Whether the machine reports an etcd. */
export async function hasMembers(machine: string, context: WorkContext): Promise<boolean> {
  return (await members(machine, context).catch(() => [])).length > 0
}

async function members(machine: string, context: WorkContext) {
  const address = await findAddress(machine, context)
  if (address === undefined) throw new Error(`no address of ${machine} is known yet`)
  return localMembers(context.talos.node({ machine, address }), context.signal)
}

export async function someMembers(machine: string, context: WorkContext) {
  const found = await members(machine, context)
  return found.length > 0 ? found : undefined
}

/** Records the state of etcd in the machine's mark. */
export async function writeBootstrap(
  machine: string,
  bootstrap: NonNullable<Mark['bootstrap']>,
  context: WorkContext,
): Promise<void> {
  await setOwned(
    machine,
    ({ mark, config }) =>
      mark.bootstrap === bootstrap
        ? undefined
        : { description: marked(config.options.description, { ...mark, bootstrap }, context.desired) },
    context,
  )
}
