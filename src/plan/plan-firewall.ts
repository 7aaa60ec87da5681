import { triedGroup } from '../machine/vm-rules.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { awaitBack } from '../steps/await-back.js'
import { awaitFirewall, setFirewall } from '../steps/set-firewall.js'
import { undoVmFirewall } from '../steps/set-vm-firewall.js'
import { backArgs, controlPlanesFirst } from './disruption.js'
import type { Draft } from './draft.js'
import { turnOf } from './turns.js'

/** Before anything else: a config that is written meanwhile would keep what nobody has confirmed. */
export function planUnkeptRules(draft: Draft, { machines }: Observed): void {
  for (const { name: machine, talos, mark } of machines) {
    if (triedGroup(mark) !== undefined) draft.add(undoVmFirewall, { machine }, 'a run ended before it was confirmed')
    if (talos.reach !== 'secured' || !talos.config.seen || talos.persisted?.seen !== true) continue
    const wanted = draft.desired.machines.find(({ machine: { name } }) => name === machine)
    if (wanted?.talos?.hasOtherRules(talos.config.value, talos.persisted.value))
      draft.add(awaitFirewall, { machine }, 'a run ended before it was confirmed')
  }
}

/** The firewalls of nodes, when nothing else is left to do: one after the other, control planes first. */
export function planFirewall(draft: Draft, { machines }: Observed): void {
  if (draft.desired.cluster.firewallTrialMs === undefined || draft.steps.length > 0) return
  for (const { machine, talos } of draft.desired.machines) {
    const seen = machines.find(({ name }) => name === machine.name)
    const changed = seen === undefined || talos === undefined ? [] : changedRules(talos, seen)
    if (seen === undefined || changed.length === 0) continue
    const turn = { ...turnOf(machine, draft.desired), name: 'firewall', limit: 1 }
    const first = controlPlanesFirst(draft, machine)
    const set = draft.add(setFirewall, { machine: machine.name }, inWords(changed), first, turn)
    draft.add(awaitBack, backArgs(seen), 'its firewall changed', [set], turn)
  }
}

type DesiredTalos = NonNullable<Draft['desired']['machines'][number]['talos']>

function changedRules(wanted: DesiredTalos, { talos }: ObservedMachine): readonly string[] {
  if (talos.reach !== 'secured' || !talos.config.seen || talos.config.value === wanted.config) return []
  return wanted.differenceFrom(talos.config.value, talos.version).rules
}

function inWords(documents: readonly string[]): string {
  const rules = documents.map((title) =>
    title.replace(/^NetworkRuleConfig /, '').replace(/^NetworkDefault.*/, 'everything else'),
  )
  return `rules for ${rules.join(', ')}`
}
