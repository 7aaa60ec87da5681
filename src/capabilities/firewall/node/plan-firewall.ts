import type { Observed, ObservedMachine } from '../../../observe/observed.js'
import { backArgs, controlPlanesFirst } from '../../../plan/disruption.js'
import type { Draft } from '../../../plan/draft.js'
import type { Reason } from '../../../plan/reason.js'
import { turnOf } from '../../../plan/turns.js'
import { awaitBack } from '../../../steps/await-back.js'
import { undoVmFirewall } from '../vm/set-vm-firewall.js'
import { triedGroup } from '../vm/vm-rules.js'
import { awaitFirewall, setFirewall } from './set-firewall.js'

/** Runs before anything else: a config written in between would keep rules that were never confirmed. */
export function planUnkeptRules(draft: Draft, { machines }: Observed): void {
  for (const { name: machine, talos, mark } of machines) {
    if (triedGroup(mark) !== undefined) draft.add(undoVmFirewall, { machine }, 'a run ended before it was confirmed')
    if (talos.reach !== 'secured' || !talos.config.seen || talos.persisted?.seen !== true) continue
    const wanted = draft.desired.machines.find(({ machine: { name } }) => name === machine)
    if (wanted?.talos?.hasOtherRules(talos.config.value, talos.persisted.value))
      draft.add(awaitFirewall, { machine }, 'a run ended before it was confirmed')
  }
}

/** Node firewalls, after everything else: one node at a time, control planes first. */
export function planFirewall(draft: Draft, { machines }: Observed): void {
  if (draft.desired.cluster.firewallTrialMs === undefined || draft.steps.length > 0) return
  for (const { machine, talos } of draft.desired.machines) {
    const seen = machines.find(({ name }) => name === machine.name)
    const reason = seen === undefined ? undefined : reasonToSet(talos, seen)
    if (seen === undefined || reason === undefined) continue
    const turn = { ...turnOf(machine, draft.desired), name: 'firewall', limit: 1 }
    const first = controlPlanesFirst(draft, machine)
    const set = draft.add(setFirewall, { machine: machine.name }, reason, first, turn)
    draft.add(awaitBack, backArgs(seen), 'its firewall changed', [set], turn)
  }
}

type DesiredTalos = NonNullable<Draft['desired']['machines'][number]['talos']>

function reasonToSet(wanted: DesiredTalos | undefined, { talos }: ObservedMachine): string | Reason | undefined {
  if (talos.reach !== 'secured') return undefined
  // Before the secrets exist the config is unknown, except that it has no rules at first.
  if (wanted === undefined) return talos.persisted === undefined ? 'new machine' : undefined
  if (!talos.config.seen || talos.config.value === wanted.config) return undefined
  const { rules, ruleValues: values } = wanted.differenceFrom(talos.config.value, talos.version)
  return rules.length === 0 ? undefined : { text: inWords(rules), values }
}

function inWords(documents: readonly string[]): string {
  const rules = documents.map((title) =>
    title.replace(/^NetworkRuleConfig /, '').replace(/^NetworkDefault.*/, 'everything else'),
  )
  return `rules for ${rules.join(', ')}`
}
