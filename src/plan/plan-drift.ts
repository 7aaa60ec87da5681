import type { ConfigDifference, DesiredMachine } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'
import { isCordonedByUs } from '../steps/pause-node.js'
import { isNic, nicDifference, type WrongOption, wrongOptions } from '../steps/vm-drift.js'
import type { Draft } from './draft.js'
import { turnOf } from './turns.js'

/** Options of the VM that somebody changed, or that the inventory wants otherwise now. Gives the step that sets them. */
export function planOptions(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): string | undefined {
  const wrong = wrongOptions(wanted, draft.desired, seen.options, seen.running)
  if (wrong.length === 0) return undefined
  const machine = wanted.machine.name
  const keys = wrong.map(({ key }) => key)
  const turn = isUnplugged(wrong, seen) ? turnOf(wanted.machine, draft.desired) : undefined
  return draft.add('reconfigure-vm', { machine, keys }, reasonFor(wrong, seen), [], turn)
}

/** The network of a running machine changes under it: the next one waits until it is seen to have borne that. */
function isUnplugged(wrong: readonly WrongOption[], { status }: ObservedMachine): boolean {
  return status === 'running' && wrong.some(({ key, needsRestart }) => isNic(key) && !needsRestart)
}

/**
 * Changes to a machine that runs: in place where that is enough; else it is drained, takes them with a reboot or a cold
 * start, and is back before the next one of its pool goes.
 */
export function planChange(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): void {
  const config = configDifference(wanted, seen)
  const restart = restartReason(draft, wanted, seen)
  const isPaused = seen.status === 'running' && (config?.needsReboot === true || restart !== undefined)
  if (config?.needsReboot === false) planConfigInPlace(draft, wanted, seen, config, isPaused)
  if (isPaused) planPause(draft, wanted, seen, { config: config?.needsReboot ? config : undefined, restart })
  else {
    planReplugged(draft, wanted, seen)
    planForgottenCordon(draft, seen)
  }
}

function planReplugged(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): void {
  const { machine } = wanted
  if (!isUnplugged(wrongOptions(wanted, draft.desired, seen.options, seen.running), seen)) return
  const turn = turnOf(machine, draft.desired)
  draft.add('await-back', backArgs(machine, seen), 'its network changed', [`reconfigure-vm:${machine.name}`], turn)
}

/** The next one waits until it is seen to have borne the change. */
function planConfigInPlace(
  draft: Draft,
  { machine }: DesiredMachine,
  seen: ObservedMachine,
  config: ConfigDifference,
  isPaused: boolean,
): void {
  const turn = turnOf(machine, draft.desired)
  const first = controlPlanesFirst(draft, machine)
  const changed = draft.add('change-config', { machine: machine.name }, inWords(config), first, turn)
  const before = [changed, `reconfigure-vm:${machine.name}`]
  if (!isPaused) draft.add('await-back', backArgs(machine, seen), 'it takes its config over', before, turn)
}

function planPause(
  draft: Draft,
  { machine: wanted }: DesiredMachine,
  seen: ObservedMachine,
  { config, restart }: { config: ConfigDifference | undefined; restart: Restart | undefined },
): void {
  const machine = wanted.name
  const node = seen.node?.name
  const turn = turnOf(wanted, draft.desired)
  const keys = restart?.keys ?? []
  const before = [`reconfigure-vm:${machine}`, `change-config:${machine}`, ...controlPlanesFirst(draft, wanted)]
  const why = [...(config === undefined ? [] : [inWords(config)]), ...(restart === undefined ? [] : [restart.reason])]
  const emptied =
    node === undefined
      ? undefined
      : draft.add('empty-node', { machine, node, keys, forConfig: config !== undefined }, why.join('; '), before, turn)
  const rebooted =
    config === undefined
      ? undefined
      : draft.add('reboot-with-config', { machine }, inWords(config), [...before, emptied], turn)
  const restarted =
    restart === undefined
      ? undefined
      : draft.add('restart-vm', { machine, keys }, restart.reason, [...before, emptied, rebooted], turn)
  const back = draft.add('await-back', backArgs(wanted, seen), 'it restarts', [rebooted, restarted], turn)
  if (node !== undefined) draft.add('uncordon-node', { machine, node }, 'it is back', [back], turn)
}

/** Workers are drained through an API that a lone control plane takes away with it. */
function controlPlanesFirst({ desired }: Draft, { role }: DesiredMachine['machine']): string[] {
  if (role === 'controlplane') return []
  const controlPlanes = desired.machines.filter(({ machine }) => machine.role === 'controlplane')
  return controlPlanes.flatMap(({ machine: { name } }) => [`await-back:${name}`, `uncordon-node:${name}`])
}

function planForgottenCordon(draft: Draft, { name: machine, node }: ObservedMachine): void {
  if (node === undefined || !isCordonedByUs(node)) return
  draft.add('uncordon-node', { machine, node: node.name }, 'an interrupted run left it cordoned', [
    `await-back:${machine}`,
    `start-machine:${machine}`,
    `reach-machine:${machine}`,
  ])
}

function backArgs({ name, role }: DesiredMachine['machine'], { talos, node }: ObservedMachine) {
  const isReady = talos.reach === 'secured' && talos.ready
  return { machine: name, isControlPlane: role === 'controlplane' && isReady, isNode: node?.ready === true }
}

function configDifference({ talos: wanted }: DesiredMachine, { talos }: ObservedMachine): ConfigDifference | undefined {
  if (wanted === undefined || talos.reach !== 'secured' || talos.config === wanted.config) return undefined
  return wanted.differenceFrom(talos.config, talos.version)
}

interface Restart {
  readonly keys: readonly string[]
  readonly reason: string
}

/** What a running VM takes only with a cold start. */
function restartReason({ desired }: Draft, wanted: DesiredMachine, seen: ObservedMachine): Restart | undefined {
  const wrong = wrongOptions(wanted, desired, seen.options, seen.running)
  const cold = wrong.filter(({ needsRestart }) => needsRestart)
  const waiting = seen.pending.filter((key) => key in wanted.options && !wrong.some((option) => option.key === key))
  const keys = [...cold.map(({ key }) => key), ...waiting]
  if (keys.length === 0) return undefined
  return { keys, reason: cold.length > 0 ? reasonFor(cold, seen) : `${keys.join(', ')} changed, needs a restart` }
}

const mostFields = 3

function inWords({ fields, needsReboot }: ConfigDifference): string {
  const shown = fields.slice(0, mostFields).join(', ')
  const more = fields.length > mostFields ? ` and ${fields.length - mostFields} more` : ''
  const what = fields.length === 0 ? 'it is written otherwise' : `${shown}${more} changed`
  return needsReboot ? `${what}, needs a reboot` : what
}

function reasonFor(wrong: readonly WrongOption[], { status }: ObservedMachine): string {
  const changes = wrong.map(optionInWords).join(', ')
  return status === 'running' && wrong.some(({ needsRestart }) => needsRestart)
    ? `${changes}, needs a restart`
    : changes
}

function optionInWords({ key, actual, wanted }: WrongOption): string {
  if (wanted === undefined) return `${key} is not wanted any more`
  if (isNic(key) && actual !== undefined) return `${key} ${nicDifference(actual, wanted)}`
  if (key === 'memory') return `ram ${gib(actual)} -> ${gib(wanted)}`
  return `${key === 'cores' ? 'cpu' : key} ${actual ?? 'unset'} -> ${wanted}`
}

/** Proxmox counts memory in MiB. */
function gib(mebibytes: string | undefined): string {
  const count = Number(mebibytes ?? 512)
  return count % 512 === 0 ? `${count / 1024} GiB` : `${count} MiB`
}
