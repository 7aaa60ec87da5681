import { GiB, MiB } from '../../cluster/machine.js'
import type { ConfigDifference, DesiredMachine } from '../../desired/desired.js'
import type { Change } from '../../events/plan-view.js'
import { isCordonedByUs } from '../../node/kubernetes-node.js'
import { upgradeOf } from '../../node/talos-release.js'
import type { ObservedMachine } from '../../observe/observed.js'
import { defaultMemoryMiB } from '../../proxmox/model/option-text.js'
import { parseDisk } from '../../proxmox/model/options/disk.js'
import { changeConfig } from '../../steps/apply-config.js'
import { awaitBack } from '../../steps/await-back.js'
import { changeNetwork, undoTrial } from '../../steps/change-network.js'
import { uncordonNode } from '../../steps/drain-node.js'
import { startMachine } from '../../steps/power.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { rebootWithConfig } from '../../steps/reboot-with-config.js'
import { reconfigureVm, restartVm } from '../../steps/reconfigure-vm.js'
import { restartSurvivor } from '../../steps/restart-survivor.js'
import { readTrial, type Trial } from '../../trial/trial.js'
import { awaitedRestart } from '../../vm/awaited-restart.js'
import { differentFlags } from '../../vm/disk-flags.js'
import { findIntent } from '../../vm/intent.js'
import { isNic, nicChanges, type WrongOption, wrongOptions } from '../../vm/vm-drift.js'
import { backArgs, controlPlanesFirst, planDisruption, planHooks } from '../disruption.js'
import type { Draft, StepRef } from '../draft.js'
import { planRotated } from '../plan-rotation.js'
import { changing, inWords, type Reason } from '../reason.js'
import { turnOf } from '../turns.js'

/** Later steps set these on a machine that is still being created. */
const setWhenMade = new Set(['protection', 'tags'])

/** VM options that were changed by hand or in the inventory. Returns the steps that set them. */
export function planOptions(
  draft: Draft,
  wanted: DesiredMachine,
  seen: ObservedMachine,
  before: readonly (StepRef | undefined)[] = [],
): StepRef[] {
  const wrong = wrongOptions(wanted, draft.desired, seen.options, seen.running).filter(
    ({ key }) => seen.mark.stage === 'made' || !setWhenMade.has(key),
  )
  const { tried, others } = sortedOut(wrong, seen)
  const machine = wanted.machine.name
  const turn = isUnplugged(wrong, seen) ? turnOf(wanted.machine, draft.desired) : undefined
  const steps: StepRef[] = []
  const trial = readTrial(seen.mark)
  if (trial !== undefined) steps.push(draft.add(undoTrial, { machine }, leftBehind(trial), before, turn))
  else if (tried.length > 0)
    steps.push(draft.add(changeNetwork, { machine, keys: keysOf(tried) }, reasonFor(tried, seen), before, turn))
  if (others.length > 0)
    steps.push(draft.add(reconfigureVm, { machine, keys: keysOf(others) }, reasonFor(others, seen), before, turn))
  return steps
}

/**
 * NIC changes are tested on a machine that responds; a machine that does not respond cannot be tested. NICs under test
 * wait for the end of the test.
 */
function sortedOut(wrong: readonly WrongOption[], { mark, status, talos }: ObservedMachine) {
  const isTried = ({ key, needsRestart }: WrongOption) =>
    isNic(key) &&
    (readTrial(mark) !== undefined || (status === 'running' && !needsRestart && talos.reach === 'secured'))
  return { tried: wrong.filter(isTried), others: wrong.filter((option) => !isTried(option)) }
}

function keysOf(wrong: readonly WrongOption[]): string[] {
  return wrong.map(({ key }) => key)
}

function leftBehind({ before, deadline }: Trial): string {
  return `${Object.keys(before).join(', ')} was not confirmed by ${deadline.toISOString()}`
}

/** The network of a running machine changes: the next machine waits until this one responds again. */
function isUnplugged(wrong: readonly WrongOption[], { status, mark }: ObservedMachine): boolean {
  const isChanging = readTrial(mark) !== undefined || wrong.some(({ key, needsRestart }) => isNic(key) && !needsRestart)
  return status === 'running' && isChanging
}

/**
 * Changes to a running machine: in place if possible. Otherwise the machine is drained, rebooted or cold-started, and
 * ready again before the next one of its pool starts.
 */
export function planChange(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): void {
  // Its config is written for the Talos version that it will have, and is compared after the upgrade.
  if (upgradeOf(wanted, seen, draft.desired.cluster) !== undefined) {
    planForgottenCordon(draft, wanted, seen)
    return
  }
  const config = configDifference(wanted, seen)
  const restart = restartReason(draft, wanted, seen)
  const isSurvivor = awaitedRestart(seen.mark) !== undefined
  const isPaused = seen.status === 'running' && (config?.needsReboot === true || restart !== undefined || isSurvivor)
  if (config?.needsReboot === false) planConfigInPlace(draft, wanted, seen, config, isPaused)
  if (isPaused) planRestart(draft, wanted, seen, { config: config?.needsReboot ? config : undefined, restart })
  else {
    planReplugged(draft, wanted, seen)
    planForgottenCordon(draft, wanted, seen)
  }
}

/** The steps of `planOptions`. */
function optionSteps(draft: Draft, machine: string): (StepRef | undefined)[] {
  return [
    draft.refIfPlanned(undoTrial, { machine }),
    draft.refIfPlanned(changeNetwork, { machine }),
    draft.refIfPlanned(reconfigureVm, { machine }),
  ]
}

function planReplugged(draft: Draft, wanted: DesiredMachine, seen: ObservedMachine): void {
  const { machine } = wanted
  if (!isUnplugged(wrongOptions(wanted, draft.desired, seen.options, seen.running), seen)) return
  const turn = turnOf(machine, draft.desired)
  draft.add(awaitBack, backArgs(seen), 'its network changed', optionSteps(draft, machine.name), turn)
}

/** The next machine waits until this one is healthy with the change. */
function planConfigInPlace(
  draft: Draft,
  { machine: wanted }: DesiredMachine,
  seen: ObservedMachine,
  config: ConfigDifference,
  isPaused: boolean,
): void {
  const machine = wanted.name
  const turn = turnOf(wanted, draft.desired)
  // Changing network and config at the same time would hide which one caused a failure.
  const first = [...controlPlanesFirst(draft, wanted), ...optionSteps(draft, machine)]
  const changed = draft.add(changeConfig, { machine }, configReason(config), first, turn)
  if (isPaused) return
  const rotated = planRotated(draft, machine, changed, turn)
  draft.add(awaitBack, backArgs(seen), 'it applies its config', [changed, rotated], turn)
}

const survived = 'etcd was restored while it was running; its workloads must reconnect'

function planRestart(
  draft: Draft,
  { machine: wanted }: DesiredMachine,
  seen: ObservedMachine,
  { config, restart }: { config: ConfigDifference | undefined; restart: Restart | undefined },
): void {
  const machine = wanted.name
  const turn = turnOf(wanted, draft.desired)
  const isSurvivor = awaitedRestart(seen.mark) !== undefined
  const fields = config === undefined ? undefined : configReason(config)
  const others = [...(restart === undefined ? [] : [restart.reason]), ...(isSurvivor ? [survived] : [])]
  const reason = {
    text: [...(fields === undefined ? [] : [fields.text]), ...others].join('; '),
    values: [],
    sentences: [...(fields?.sentences ?? []), ...others],
  }
  planDisruption(draft, {
    seen,
    purpose: {
      ...(restart === undefined ? {} : { restart: restart.keys }),
      ...(config === undefined ? {} : { config: true }),
      ...(isSurvivor ? { afterRestore: true } : {}),
    },
    reason,
    before: [
      ...optionSteps(draft, machine),
      draft.refIfPlanned(changeConfig, { machine }),
      ...controlPlanesFirst(draft, wanted),
    ],
    turn,
    work: (after) => {
      const rebooted = fields === undefined ? undefined : draft.add(rebootWithConfig, { machine }, fields, after, turn)
      const restarted =
        restart === undefined
          ? undefined
          : draft.add(restartVm, { machine, keys: restart.keys }, restart.reason, [...after, rebooted], turn)
      const refreshed = isSurvivor
        ? draft.add(restartSurvivor, { machine }, survived, [...after, rebooted, restarted], turn)
        : undefined
      return [rebooted, restarted, refreshed]
    },
  })
}

/** A machine that is about to reboot is uncordoned when it is back. Its turn keeps other machines running meanwhile. */
function planForgottenCordon(draft: Draft, { machine: wanted }: DesiredMachine, seen: ObservedMachine): void {
  const { name: machine, node } = seen
  if (node === undefined || !isCordonedByUs(node) || findIntent('reboot', draft.desired, seen) !== undefined) return
  const started = [
    draft.refIfPlanned(awaitBack, { machine }),
    draft.refIfPlanned(startMachine, { machine }),
    draft.refIfPlanned(reachMachine, { machine }),
  ]
  const turn = turnOf(wanted, draft.desired)
  const after = planHooks(draft, 'after', machine, started, turn)
  draft.add(uncordonNode, { machine }, 'an interrupted run left it cordoned', after, turn)
}

function configDifference({ talos: wanted }: DesiredMachine, { talos }: ObservedMachine): ConfigDifference | undefined {
  if (wanted === undefined || talos.reach !== 'secured' || !talos.config.seen) return undefined
  if (talos.config.value === wanted.config) return undefined
  const difference = wanted.differenceFrom(talos.config.value, talos.version)
  return difference.fields.length === 0 ? undefined : difference
}

interface Restart {
  readonly keys: readonly string[]
  readonly reason: string
}

/** Changes that a running VM applies only after a cold start. */
function restartReason({ desired }: Draft, wanted: DesiredMachine, seen: ObservedMachine): Restart | undefined {
  const wrong = wrongOptions(wanted, desired, seen.options, seen.running)
  const cold = wrong.filter(({ needsRestart }) => needsRestart)
  const isWanted = (key: string) =>
    key in wanted.options ||
    /^hostpci\d+$/.test(key) ||
    wanted.disks.some(({ slot }) => slot === key) ||
    (key === 'tpmstate0' && wanted.tpm) ||
    (key === 'efidisk0' && wanted.efi)
  const waiting = seen.pending.filter((key) => isWanted(key) && !wrong.some((option) => option.key === key))
  const keys = [...cold.map(({ key }) => key), ...waiting]
  if (keys.length === 0) return undefined
  return { keys, reason: cold.length > 0 ? reasonFor(cold, seen).text : `${keys.join(', ')} changed, needs a restart` }
}

const maxFields = 3

function configReason(config: ConfigDifference): Reason {
  const { sentences, needsReboot, values } = config
  return {
    text: fieldsInWords(config),
    values,
    sentences: needsReboot ? sentences.map((text) => `${text}, needs a reboot`) : sentences,
  }
}

function fieldsInWords({ fields, needsReboot }: ConfigDifference): string {
  const shown = fields.slice(0, maxFields).join(', ')
  const more = fields.length > maxFields ? ` and ${fields.length - maxFields} more` : ''
  const what = `${shown}${more} changed`
  return needsReboot ? `${what}, needs a reboot` : what
}

function reasonFor(wrong: readonly WrongOption[], { status }: ObservedMachine): Reason {
  const changes = wrong.map(optionReason)
  const text = changes.map((change) => change.text).join(', ')
  const isCold = status === 'running' && wrong.some(({ needsRestart }) => needsRestart)
  return { text: isCold ? `${text}, needs a restart` : text, values: changes.flatMap(({ values }) => values) }
}

function optionReason({ key, actual, wanted }: WrongOption): Reason {
  if (wanted === undefined)
    return { text: `${key} was removed from the inventory`, values: [{ what: key, from: actual ?? null, to: null }] }
  if (/^scsi\d+$/.test(key)) {
    const flags = differentFlags(actual, parseDisk(wanted))
    const text = flags.map(({ what, from, to }) => `${what}=${from} in place of ${to}`).join(', ')
    return { text: `disk ${key} ${text}`, values: withPrefix(`disk ${key}`, flags) }
  }
  if (isNic(key) && actual !== undefined) {
    const settings = nicChanges(actual, wanted)
    return { text: `${key} ${settings.map(inWords).join(', ')}`, values: withPrefix(key, settings) }
  }
  if (key === 'memory') return changing({ what: 'ram', from: gib(actual), to: gib(wanted) })
  return changing({ what: key === 'cores' ? 'cpu' : key, from: actual ?? null, to: wanted })
}

function withPrefix(prefix: string, values: readonly Change[]): Change[] {
  return values.map((value) => ({ ...value, what: `${prefix} ${value.what}` }))
}

/** Proxmox counts memory in MiB. */
function gib(mebibytes: string | undefined): string {
  const count = Number(mebibytes ?? defaultMemoryMiB)
  return count % 512 === 0 ? `${(count * MiB) / GiB} GiB` : `${count} MiB`
}
