import { createHash } from 'node:crypto'
import { canonicalJson } from '../../cluster/canonical.js'
import type { PlanView, StepView } from '../../events/plan-view.js'
import type { Finding } from '../../findings/finding.js'
import { noteText } from '../../findings/notes/define-note.js'
import { changesOf, limitsOf, type Plan, type PlannedStep } from '../plan.js'
import { machineRows, type PlanFacts } from './machine-rows.js'
import { otherRows } from './other-rows.js'

/** What a plan does not know about itself. */
export interface PlanOrigin {
  readonly goal: string
  readonly target: readonly string[] | null
  readonly madeAt: string
  readonly ichorVersion: string
  /** What does not fit and stays so, besides its notes. */
  readonly found?: readonly Finding[]
}

/** The plan without its functions. */
export function viewOf(
  plan: Plan,
  facts: PlanFacts,
  { goal, target, madeAt, ichorVersion, found = [] }: PlanOrigin,
): PlanView {
  const { cluster, rounds, away, unknown, notes, differences = [] } = plan
  const { desired, observed } = facts
  const steps = plan.steps.map((step) => stepView(step, plan))
  return {
    version: 2,
    cluster,
    cluster_id: observed.secrets.clusterId ?? null,
    goal,
    target,
    made_at: madeAt,
    ichor_version: ichorVersion,
    digest: planDigest(steps),
    lease: null,
    expires: null,
    seal: null,
    talos_version: desired.cluster.target.talos,
    kubernetes_version: desired.cluster.target.kubernetes,
    ...runningVersions(facts),
    endpoint: desired.cluster.endpoint ?? null,
    hosts: hostsOf(facts),
    changes: changesOf(plan),
    rounds,
    steps,
    machines: machineRows(plan, facts),
    others: otherRows(plan, facts),
    away,
    unknown,
    notes: notes.map(noteText),
    differences: differences.map(noteText),
    findings: withoutNoted(notes, found),
  }
}

/** One list: what a note reports is listed once. */
function withoutNoted(notes: readonly Finding[], found: readonly Finding[]): Finding[] {
  const noted = new Set(notes.flatMap(({ code, subject }) => subject.name.split(', ').map((name) => `${code} ${name}`)))
  return [...notes, ...found.filter(({ code, subject }) => !noted.has(`${code} ${subject.name}`))]
}

/** What machines run that exist and answer. */
function runningVersions({ observed }: PlanFacts): Pick<PlanView, 'running_talos' | 'running_kubernetes'> {
  const talos = observed.machines.flatMap((one) => (one.talos?.reach === 'secured' ? [one.talos.version] : []))
  const kubelets = observed.machines.flatMap(({ node }) => (node === undefined ? [] : [node.kubeletVersion]))
  const apart = (versions: readonly string[]) => [...new Set(versions)].sort()
  return { running_talos: apart(talos), running_kubernetes: apart(kubelets) }
}

function stepView(step: PlannedStep, { digester }: Pick<Plan, 'digester'>): StepView {
  const { id, round, kind, title, reason, after, disruptive, loses, pending } = step
  return {
    id,
    round,
    lane: step.lane ?? null,
    limits: limitsOf(step),
    kind,
    title,
    reason,
    machine: step.machine ?? null,
    after,
    waits: !step.changes,
    disruptive,
    loses,
    loses_data: loses.length === 0 ? null : loses.join(', '),
    changes: step.values,
    digest: step.digest(digester),
    pending,
  }
}

/** The digest of a plan that is not shown. */
export function digestOfPlan({ steps, digester }: Pick<Plan, 'steps' | 'digester'>): string {
  return planDigest(steps.map(({ id, loses, digest }) => ({ id, loses, digest: digest(digester) })))
}

/** The same steps, contents and losses give the same digest, in whatever order they were planned. */
function planDigest(steps: readonly Pick<StepView, 'id' | 'digest' | 'loses'>[]): string {
  const lines = steps.map(({ id, digest, loses }) => canonicalJson([id, digest, loses])).sort()
  return createHash('sha256').update(canonicalJson(lines)).digest('hex').slice(0, 32)
}

function hostsOf({ desired, observed }: PlanFacts): string[] {
  const places = [...desired.machines, ...observed.machines].map(({ host }) => host)
  return [...new Set(places)].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}
