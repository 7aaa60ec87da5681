import { deriveIdentity } from '../cluster/identity.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import type { StepArgs } from '../steps/step.js'
import type { Draft } from './draft.js'
import { findMember } from './etcd-member.js'
import { turnOf } from './turns.js'

const unwanted = 'the inventory does not want it any more'
const gone = 'its VM is gone, and the inventory does not want it any more'

/** Machines of ours that nobody wants any more: drained, reset (which leaves etcd), then deleted. */
export function planRemoval(draft: Draft, observed: Observed): void {
  const surplus = observed.machines.filter(
    ({ name }) => !draft.desired.machines.some(({ machine }) => machine.name === name),
  )
  for (const machine of surplus) planRetirement(draft, machine, observed)
  planForgottenNodes(draft, observed)
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
  const node = seen.node?.name
  const member = findMember(observed, { names: [machine, node], address: seen.address })
  const turn = turnOf({ name: machine, role: seen.mark.role, pool: 'removed' }, draft.desired)
  const add = (kind: string, args: StepArgs, after: readonly (string | undefined)[]) =>
    draft.add(kind, { machine, ...args }, unwanted, after, turn)
  // Nobody terminates the pods of a machine that is off: they go with their node.
  const isAlive = seen.status === 'running' && seen.node?.ready === true
  const drained = isAlive ? add('drain-node', { node }, []) : undefined
  // One that was never in a cluster has nothing to leave.
  const canReset = seen.talos.reach === 'secured' && seen.address !== undefined && observed.secrets.bootstrapped
  const reset = canReset
    ? add('reset-machine', { address: seen.address, isControlPlane: member !== undefined }, [drained])
    : undefined
  const left =
    member !== undefined && reset === undefined
      ? add('remove-etcd-member', { member: member.id }, [drained])
      : undefined
  const forgotten = node === undefined ? undefined : add('delete-node', { node }, [drained, reset, left])
  const stopped = seen.status === 'running' ? add('stop-machine', {}, [reset, left, forgotten]) : undefined
  add('delete-machine', { host: seen.host }, [stopped, reset, left, forgotten])
}

/** Nodes that the name of their machine proves to be ours, and whose VM somebody else deleted: nothing else takes them away. */
function planForgottenNodes(draft: Draft, observed: Observed): void {
  const { cluster, machines } = draft.desired
  if (observed.unverified.some(({ because }) => because === 'away')) return
  const known = new Set([
    ...machines.map(({ machine }) => machine.identity.uuid),
    ...observed.machines.map(({ mark }) => mark.uuid),
  ])
  for (const { name, systemUuid, ready } of observed.kubernetes?.nodes ?? []) {
    const uuid = systemUuid.toLowerCase()
    // Whoever is Ready lives somewhere, though not where it was looked for.
    if (ready || known.has(uuid) || deriveIdentity(cluster.name, name).uuid !== uuid) continue
    const member = findMember(observed, { names: [name] })
    const left = member && draft.add('remove-etcd-member', { machine: name, member: member.id }, gone)
    draft.add('delete-node', { machine: name, node: name }, gone, [left])
  }
}
