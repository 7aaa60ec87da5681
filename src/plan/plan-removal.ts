import type { Observed, ObservedMachine } from '../observe/observed.js'
import type { Draft } from './draft.js'
import { turnOf } from './turns.js'

/** Machines of ours that nobody wants any more: drained, reset (which leaves etcd), then deleted. */
export function planRemoval(draft: Draft, observed: Observed): void {
  const surplus = observed.machines.filter(
    ({ name }) => !draft.desired.machines.some(({ machine }) => machine.name === name),
  )
  for (const machine of surplus) planRetirement(draft, machine, observed)
  planTemplateRemoval(draft, observed)
}

/** A template of another version goes as soon as no machine depends on it. */
function planTemplateRemoval(draft: Draft, { templates, machines }: Observed): void {
  const { desired } = draft
  for (const { name, host } of templates.filter(
    (seen) => !desired.templates.some((template) => template.name === seen.name),
  )) {
    const isLinked = !desired.cluster.fullClones && machines.some(({ mark }) => mark.more?.template === name)
    if (!isLinked)
      draft.add(
        'delete-machine',
        { machine: name, host },
        'no machine is made from it any more',
        draft.steps.filter(({ kind }) => kind === 'claim-machine').map(({ id }) => id),
      )
  }
}

function planRetirement(draft: Draft, seen: ObservedMachine, observed: Observed): void {
  const machine = seen.name
  const isControlPlane = observed.etcd?.members.some(({ hostname }) => hostname === machine) ?? false
  const turn = turnOf(
    { name: machine, role: isControlPlane ? 'controlplane' : 'worker', pool: 'removed' },
    draft.desired,
  )
  const reason = 'the inventory does not want it any more'
  const node = seen.node?.name
  const drained = node === undefined ? undefined : draft.add('drain-node', { machine, node }, reason, [], turn)
  const reset =
    seen.talos.reach === 'secured' && seen.address !== undefined
      ? draft.add('reset-machine', { machine, address: seen.address, isControlPlane }, reason, [drained], turn)
      : undefined
  if (node !== undefined) draft.add('delete-node', { machine, node }, reason, [drained, reset], turn)
  const stopped =
    seen.status === 'running'
      ? draft.add('stop-machine', { machine }, reason, [reset, `delete-node:${machine}`], turn)
      : undefined
  draft.add('delete-machine', { machine, host: seen.host }, reason, [stopped, reset, `delete-node:${machine}`], turn)
}
