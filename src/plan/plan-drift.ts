import type { DesiredMachine } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'
import { isCordonedByUs } from '../steps/pause-node.js'
import { type WrongOption, wrongOptions } from '../steps/vm-drift.js'
import type { Draft } from './draft.js'
import { turnOf } from './turns.js'

/** Options of the VM that somebody changed, or that the inventory wants otherwise now. Gives the step that sets them. */
export function planOptions(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): string | undefined {
  const wrong = wrongOptions(wanted, draft.desired, seen.options)
  if (wrong.length === 0) return undefined
  const machine = wanted.machine.name
  return draft.add('reconfigure-vm', { machine, keys: wrong.map(({ key }) => key) }, reasonFor(wrong, seen))
}

/** What a running VM takes only with a cold start: drained, restarted and back before the next one of its pool. */
export function planRestart(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): void {
  const { name: machine, role } = wanted.machine
  const wrong = wrongOptions(wanted, draft.desired, seen.options).filter(({ needsRestart }) => needsRestart)
  const waiting = seen.pending.filter((key) => key in wanted.options)
  const keys = [...new Set([...wrong.map(({ key }) => key), ...waiting])]
  const turn = turnOf(wanted.machine, draft.desired)
  const node = seen.node?.name
  if (seen.status !== 'running' || keys.length === 0) {
    if (seen.node !== undefined && isCordonedByUs(seen.node))
      draft.add('uncordon-node', { machine, node: seen.node.name }, 'an interrupted run left it cordoned', [
        `await-back:${machine}`,
        `start-machine:${machine}`,
        `reach-machine:${machine}`,
      ])
    return
  }
  const reason = wrong.length > 0 ? reasonFor(wrong, seen) : `${keys.join(', ')} changed, needs a restart`
  const before = [`reconfigure-vm:${machine}`, `change-config:${machine}`]
  const emptied =
    node === undefined ? undefined : draft.add('empty-node', { machine, node, keys }, reason, before, turn)
  const restarted = draft.add('restart-vm', { machine, keys }, reason, [...before, emptied], turn)
  const back = draft.add(
    'await-back',
    { machine, isControlPlane: role === 'controlplane', isNode: seen.node?.ready === true },
    'it restarts',
    [restarted],
    turn,
  )
  if (node !== undefined) draft.add('uncordon-node', { machine, node }, 'it is back', [back], turn)
}

/** A config that differs from the wish; where it makes the node restart, the next one waits for it. */
export function planConfig(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): void {
  const { talos } = seen
  if (wanted.talos === undefined || talos.reach !== 'secured' || talos.config === wanted.talos.config) return
  const { name: machine, role } = wanted.machine
  const turn = turnOf(wanted.machine, draft.desired)
  const changed = draft.add(
    'change-config',
    { machine, reboot: false },
    'its config differs from the inventory',
    [],
    turn,
  )
  draft.add(
    'await-back',
    { machine, isControlPlane: role === 'controlplane' && talos.ready, isNode: seen.node?.ready === true },
    'it may restart',
    [changed],
    turn,
  )
}

function reasonFor(wrong: readonly WrongOption[], { status }: ObservedMachine): string {
  const changes = wrong.map(inWords).join(', ')
  return status === 'running' && wrong.some(({ needsRestart }) => needsRestart)
    ? `${changes}, needs a restart`
    : changes
}

function inWords({ key, actual, wanted }: WrongOption): string {
  if (key === 'memory') return `ram ${gib(actual)} -> ${gib(wanted)}`
  return `${key === 'cores' ? 'cpu' : key} ${actual ?? 'unset'} -> ${wanted}`
}

/** Proxmox counts memory in MiB. */
function gib(mebibytes: string | undefined): string {
  const count = Number(mebibytes ?? 512)
  return count % 512 === 0 ? `${count / 1024} GiB` : `${count} MiB`
}
