import type { MachineRow } from '../../events/plan-view.js'
import type { PlannedStep } from '../plan.js'
import type { SeenMachine, WantedMachine } from './machine-rows.js'

/** Steps that follow from another one of the same machine, and are no news of their own. */
const followUps = new Set(['drain-node', 'uncordon-node', 'mark-intent', 'pull-image', 'restart-kubelet'])

/** Steps that write a config: its sentences name old and new values. */
const configSteps = new Set(['change-config', 'reboot-with-config'])

/** Reasons that only make sense beside the title of their step. */
const sentences: Readonly<Record<string, (step: PlannedStep) => string>> = {
  'seal-mark': () => "ichor's mark in its notes is completed",
  'approve-certificate': () => 'the serving certificate of its kubelet is approved',
  'reboot-machine': ({ reason }) => (reason === 'requested' ? 'drained and rebooted, as requested' : reason),
  'delete-node': ({ title }) => title,
}

/** Everything that happens to an existing machine, in sentences that stand alone. */
export function reasonsOf(
  action: MachineRow['action'],
  steps: readonly PlannedStep[],
  wanted: WantedMachine | undefined,
  seen: SeenMachine | undefined,
): string[] {
  if (action !== 'change') return reasonsOfDisruption(steps)
  const causes = steps.filter(({ kind }) => !followUps.has(kind))
  const config = causes.some(({ kind }) => configSteps.has(kind)) ? configSentences(wanted, seen) : []
  const rest = causes.filter(({ kind }) => config.length === 0 || !configSteps.has(kind))
  const all = [...config, ...rest.flatMap((step) => sentencesOf(step, wanted))]
  return all.length === 0 ? reasonsOfDisruption(steps) : [...new Set(all)]
}

/** The reason of a disruption also covers the steps before and after it. */
function reasonsOfDisruption(steps: readonly PlannedStep[]): string[] {
  const interrupting = steps.filter(({ disruptive }) => disruptive)
  return [...new Set((interrupting.length > 0 ? interrupting : steps).map(({ reason }) => reason))]
}

function sentencesOf(step: PlannedStep, wanted: WantedMachine | undefined): string[] {
  const isImage = step.reason === imageReason && wanted !== undefined
  return [isImage ? imageSentence(wanted) : (sentences[step.kind]?.(step) ?? step.reason)]
}

const imageReason = 'its extensions or kernel arguments changed'

function imageSentence({ machine: { extensions } }: WantedMachine): string {
  const names = extensions.map((name) => name.replace(/^siderolabs\//, '')).join(', ')
  return `image with ${names === '' ? 'no extensions' : `extensions ${names}`}: reinstalled and rebooted`
}

/** Empty if the config is not seen, or changes only in a later round. */
function configSentences(wanted: WantedMachine | undefined, seen: SeenMachine | undefined): readonly string[] {
  if (seen?.talos?.reach !== 'secured' || !seen.talos.config.seen || wanted?.talos === undefined) return []
  const { sentences: lines, needsReboot } = wanted.talos.differenceFrom(seen.talos.config.value, seen.talos.version)
  return needsReboot ? lines.map((text) => `${text}, needs a reboot`) : lines
}
