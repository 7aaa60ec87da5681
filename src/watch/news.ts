import type { Finding, Severity } from '../findings/finding.js'
import type { Memory } from './memory.js'
import type { PlanDifference, WatchEvent } from './watch-event.js'

/** A cluster as one pass saw it. */
export interface Look {
  readonly cluster: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Names of the machines in the inventory. */
  readonly machines: readonly string[]
  /** The inventory in the files cannot be used, and this is an earlier one. */
  readonly isOld: boolean
  readonly findings: readonly Finding[]
  /** Whether everything was seen that a finding of this code needs: only then can it be over. */
  readonly isSeen: (code: string) => boolean
  /** Missing if `up` would refuse to do anything, which is a finding. */
  readonly plan?: PendingPlan
}

export interface PendingPlan {
  readonly digest: string
  readonly steps: readonly {
    readonly id: string
    /** Of what it writes. */
    readonly digest: string | null
    readonly title: string
    readonly changes: boolean
    readonly disruptive: boolean
    readonly loses: readonly string[]
  }[]
}

interface News {
  readonly events: readonly WatchEvent[]
  readonly memory: Memory
}

type Known = Memory['findings'][number]

const rank: Readonly<Record<Severity, number>> = { info: 0, warns: 1, blocks: 2 }
const maxTitles = 10
/** Steps of a pending plan that are compared with those of the next one. */
const maxSteps = 300

/** What is new since the last pass, and what to remember. Pure. */
export function newsOf(before: Memory, look: Look): News {
  const header = { at: new Date(look.now).toISOString(), cluster: look.cluster }
  const { unseen, refused, plan: _, ...kept } = before
  const findings = findingNews(before.findings, look, header)
  const plan = planNews(before, look, header)
  const events: WatchEvent[] = [
    ...(refused === undefined || look.isOld
      ? []
      : [{ ...header, severity: 'info' as const, type: 'inventory.accepted' as const }]),
    ...shrinkNews(before, look, header),
    ...(unseen === undefined ? [] : [{ ...header, severity: 'info' as const, type: 'cluster.seen' as const }]),
    ...findings.events,
    ...plan.events,
  ]
  return {
    events,
    memory: {
      ...kept,
      ...(look.isOld && refused !== undefined ? { refused } : {}),
      cluster: look.cluster,
      seenAt: look.now,
      machines: [...look.machines],
      findings: [...findings.known],
      ...(plan.known === undefined ? {} : { plan: plan.known }),
    },
  }
}

/** A pass that could not look: the findings of before are neither over nor new. */
export function newsOfFailure(
  before: Memory,
  { problem, fix, now }: { readonly problem: string; readonly fix: string; readonly now: number },
): News {
  if (before.unseen !== undefined) return { events: [], memory: before }
  const header = { at: new Date(now).toISOString(), cluster: before.cluster, severity: 'blocks' as const }
  return { events: [{ ...header, type: 'cluster.unseen', problem, fix }], memory: { ...before, unseen: problem } }
}

/** An inventory that cannot be used, reported once for each reason. */
export function newsOfInventory(
  before: Memory,
  problem: { readonly problem: string; readonly where: string; readonly fix: string },
  now: number,
): News {
  if (before.refused === problem.problem) return { events: [], memory: before }
  const header = { at: new Date(now).toISOString(), cluster: before.cluster, severity: 'blocks' as const }
  return {
    events: [{ ...header, type: 'inventory.refused', ...problem }],
    memory: { ...before, refused: problem.problem },
  }
}

type Header = Pick<WatchEvent, 'at' | 'cluster'>

/** Findings that another one explains are not reported by themselves: a dead host is one finding and not forty. */
function findingNews(before: readonly Known[], { findings, isSeen }: Look, header: Header) {
  const present = new Map(findings.map((finding) => [keyOf(finding.code, nameOf(finding)), finding]))
  const known = new Map(before.map((one) => [keyOf(one.code, one.subject), one]))
  const isExplained = ({ because }: Finding) =>
    because !== undefined &&
    findings.some(({ code, subject }) => code === because.code && subject.name === because.subject)
  const opened = [...present].filter(([key, finding]) => {
    const earlier = known.get(key)
    if (earlier === undefined) return !isExplained(finding)
    return rank[finding.severity] > rank[earlier.severity]
  })
  const closed = before.filter((one) => !present.has(keyOf(one.code, one.subject)) && isSeen(one.code))
  const events: WatchEvent[] = [
    ...opened.map(
      ([, finding]): WatchEvent => ({ ...header, severity: finding.severity, type: 'finding.opened', finding }),
    ),
    ...closed.map(
      ({ code, subject, title }): WatchEvent => ({
        ...header,
        severity: 'info',
        type: 'finding.closed',
        code,
        subject,
        title,
      }),
    ),
  ]
  const stays = before.filter(
    (one) => !closed.includes(one) && !opened.some(([key]) => key === keyOf(one.code, one.subject)),
  )
  const fresh = opened.map(([, finding]) => knownOf(finding))
  return { events, known: [...stays, ...fresh] }
}

function knownOf(finding: Finding): Known {
  const { code, title, severity } = finding
  return { code, subject: nameOf(finding), title, severity }
}

function nameOf({ subject }: Finding): string {
  return `${subject.kind} ${subject.name}`
}

function keyOf(code: string, subject: string): string {
  return `${code} ${subject}`
}

/** A plan is new when its content is, and its age counts from when something was first pending. */
function planNews({ plan: before }: Memory, { plan, now }: Look, header: Header) {
  const changing = plan?.steps.filter(({ changes }) => changes) ?? []
  if (plan === undefined) return { events: [], known: before }
  if (changing.length === 0) {
    const closed: WatchEvent = { ...header, severity: 'info', type: 'plan.closed' }
    return { events: before === undefined ? [] : [closed], known: undefined }
  }
  const steps = changing.slice(0, maxSteps).map(({ id, title, digest }) => ({ id, title, digest }))
  const known = { digest: plan.digest, since: before?.since ?? now, steps }
  if (before?.digest === plan.digest) return { events: [], known }
  const loses = plan.steps.flatMap((step) => step.loses)
  const pending: WatchEvent = {
    ...header,
    severity: loses.length > 0 ? 'warns' : 'info',
    type: 'plan.pending',
    digest: plan.digest,
    changes: changing.length,
    disruptive: changing.filter(({ disruptive }) => disruptive).length,
    loses,
    steps: changing.slice(0, maxTitles).map(({ title }) => title),
    ...(before?.steps === undefined ? {} : { differs: differenceOf(before.steps, steps) }),
  }
  return { events: [pending], known }
}

type KnownStep = NonNullable<NonNullable<Memory['plan']>['steps']>[number]

/** In what a pending plan differs from the one before, by the titles of its steps. */
function differenceOf(before: readonly KnownStep[], now: readonly KnownStep[]): PlanDifference {
  const titlesOf = (steps: readonly KnownStep[]) => steps.slice(0, maxTitles).map(({ title }) => title)
  const earlier = new Map(before.map((step) => [step.id, step]))
  const ids = new Set(now.map(({ id }) => id))
  return {
    more: titlesOf(now.filter(({ id }) => !earlier.has(id))),
    less: titlesOf(before.filter(({ id }) => !ids.has(id))),
    other: titlesOf(now.filter(({ id, digest }) => earlier.has(id) && earlier.get(id)?.digest !== digest)),
  }
}

/** A broken synchronization looks like a small inventory. */
function shrinkNews({ machines: before }: Memory, { machines }: Look, header: Header): WatchEvent[] {
  const gone = before.filter((name) => !machines.includes(name))
  if (gone.length === 0) return []
  return [{ ...header, severity: 'warns', type: 'inventory.shrank', machines: gone, before: before.length }]
}
