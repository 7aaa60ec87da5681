import {
  hostRulesNotes,
  planHostFirewall,
  planHostRemoval,
  planUnkeptSwitch,
} from '../capabilities/firewall/hosts/plan-host-firewall.js'
import { groupNotes, planGroups, planLeftovers } from '../capabilities/firewall/vm/plan-vm-firewall.js'
import type { Desired } from '../desired/desired.js'
import type { Finding } from '../findings/finding.js'
import { stillThere } from '../findings/refusals/machines.js'
import type { Observed } from '../observe/observed.js'
import { createDraft } from '../plan/draft.js'
import type { PlannedStep } from '../plan/plan.js'
import { backupJobNotes, planBackupJob } from '../plan/plan-backup-job.js'
import { planStartup, startupNotes } from '../plan/plan-startup.js'
import { makeSecrets } from '../steps/make-secrets.js'

/** What `ichor access` writes for the cluster, because it needs Sys.Modify on `/`, which tokens of runs do not have. */
export function planAdministration(desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  const draft = createDraft(desired, observed, round)
  planUnkeptSwitch(draft, observed)
  if (draft.steps.length > 0) return draft.steps
  const isFirewalled = desired.vmFirewall !== undefined || desired.hostFirewall !== undefined
  // Groups and IP sets carry the ID of the cluster.
  if (isFirewalled && !observed.secrets.present) draft.add(makeSecrets, {}, 'the cluster has no secrets yet')
  planGroups(draft, observed)
  planStartup(draft, observed)
  planBackupJob(draft, observed)
  planHostFirewall(draft, observed)
  // Machines that have left the inventory keep their groups until they are gone.
  const isUsed = desired.machines.length === 0 && observed.machines.length > 0
  if (draft.steps.length === 0 && !isUsed) planLeftovers(draft, observed)
  return draft.steps
}

/** What it removes once the cluster is gone. */
export function planAdministrationRemoval(desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  const [machine] = [...observed.machines, ...observed.templates]
  if (machine !== undefined)
    throw stillThere.refuse(`${desired.cluster.name} still exists: ${machine.name} is VM ${machine.vmid}.`, {
      subject: { kind: 'machine', name: machine.name },
      where: `cluster ${desired.cluster.name}`,
      fix: 'Run ichor destroy first.',
    })
  const draft = createDraft(desired, observed, round)
  const reason = 'the cluster is removed'
  planBackupJob(draft, observed)
  const opened = planLeftovers(draft, observed)
  planHostRemoval(draft, observed, reason, [opened])
  return draft.steps
}

/** What this token may not write, with the command that does. */
export function administrationNotes(desired: Desired, observed: Observed): Finding[] {
  return [backupJobNotes, groupNotes, hostRulesNotes, startupNotes].flatMap((notes) => notes(desired, observed))
}
