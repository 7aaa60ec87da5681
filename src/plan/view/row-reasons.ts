import { groupBy } from '../../cluster/lookup.js'
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
  // What its config means comes first.
  const [config, rest] = [causes.filter(({ setsConfig }) => setsConfig), causes.filter(({ setsConfig }) => !setsConfig)]
  const all = [...config, ...rest].flatMap((step) => sentencesOf(step, wanted, seen))
  return all.length === 0 ? reasonsOfDisruption(steps) : sameVersionsOnce(withoutWaiting([...new Set(all)]))
}

/** A later round names only the keys that wait for a restart; the round that sets them names their values. */
function withoutWaiting(reasons: readonly string[]): string[] {
  const restart = ', needs a restart'
  const isWaiting = (text: string) => text.endsWith(` changed${restart}`)
  const isSaid = reasons.some((text) => text.endsWith(restart) && !isWaiting(text))
  return reasons.filter((text) => !isSaid || !isWaiting(text))
}

/** The reason of a disruption also covers the steps before and after it. */
function reasonsOfDisruption(steps: readonly PlannedStep[]): string[] {
  const interrupting = steps.filter(({ disruptive }) => disruptive)
  return [...new Set((interrupting.length > 0 ? interrupting : steps).flatMap(inSentences))]
}

function sentencesOf(
  step: PlannedStep,
  wanted: WantedMachine | undefined,
  seen: SeenMachine | undefined,
): readonly string[] {
  const { reason, title, sentence } = step
  const isImage = reason === imageReason && wanted !== undefined
  if (isImage) return [imageSentence(wanted, seen)]
  return sentence === undefined ? inSentences(step) : [sentence(reason, title)]
}

function inSentences({ reason, sentences = [reason] }: PlannedStep): readonly string[] {
  return sentences
}

const imageReason = 'its extensions or kernel arguments changed'

/** `extensions + iscsi-tools: reinstalls and reboots it`. */
function imageSentence({ machine: { extensions } }: WantedMachine, seen: SeenMachine | undefined): string {
  const names = extensions.map((name) => name.replace(/^siderolabs\//, ''))
  const running = seen?.talos?.reach === 'secured' ? seen.talos.extensions : undefined
  const signed = [
    ...names.filter((name) => running?.includes(name) === false).map((name) => `+ ${name}`),
    ...(running ?? []).filter((name) => !names.includes(name)).map((name) => `- ${name}`),
  ]
  if (running !== undefined && signed.length === 0) return 'kernel arguments changed: reinstalls and reboots it'
  const list = running === undefined ? names.join(', ') || 'none' : signed.join(', ')
  return `extensions ${list}: reinstalls and reboots it`
}

/** `kube-apiserver, kubelet v1.36.3 -> v1.37.0`: what goes the same way is one sentence. */
function sameVersionsOnce(reasons: readonly string[]): string[] {
  const moves = groupBy(reasons, (text) => /^kube[a-z-]* (v\S+ -> v\S+)$/.exec(text)?.[1])
  return reasons.flatMap((text) => {
    const [move, same] = [...moves].find(([, texts]) => texts.includes(text)) ?? []
    if (move === undefined || same === undefined) return [text]
    return text === same[0] ? [`${same.map((one) => one.split(' ')[0]).join(', ')} ${move}`] : []
  })
}
