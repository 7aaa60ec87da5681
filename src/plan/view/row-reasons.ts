import type { MachineRow } from '../../events/plan-view.js'
import type { PlannedStep } from '../plan.js'
import type { SeenMachine, WantedMachine } from './machine-rows.js'

/** Everything that happens to an existing machine, in sentences that stand alone. */
export function reasonsOf(
  action: MachineRow['action'],
  steps: readonly PlannedStep[],
  wanted: WantedMachine | undefined,
  seen: SeenMachine | undefined,
): string[] {
  if (action !== 'change') return reasonsOfDisruption(steps)
  const causes = steps.filter(({ follows }) => !follows)
  const config = causes.some(({ setsConfig }) => setsConfig) ? configSentences(wanted, seen) : []
  const rest = causes.filter(({ setsConfig }) => config.length === 0 || !setsConfig)
  const all = [...config, ...rest.flatMap((step) => sentencesOf(step, wanted))]
  return all.length === 0 ? reasonsOfDisruption(steps) : [...new Set(all)]
}

/** The reason of a disruption also covers the steps before and after it. */
function reasonsOfDisruption(steps: readonly PlannedStep[]): string[] {
  const interrupting = steps.filter(({ disruptive }) => disruptive)
  return [...new Set((interrupting.length > 0 ? interrupting : steps).map(({ reason }) => reason))]
}

function sentencesOf(step: PlannedStep, wanted: WantedMachine | undefined): string[] {
  const { reason, title, sentence } = step
  const isImage = reason === imageReason && wanted !== undefined
  return [isImage ? imageSentence(wanted) : (sentence?.(reason, title) ?? reason)]
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
