import type { Finding, Severity } from '../findings/finding.js'

/** What changed between two looks at a cluster: each is reported once. */
export type WatchEvent = Header &
  (
    | { readonly type: 'finding.opened'; readonly finding: Finding }
    | { readonly type: 'finding.closed'; readonly code: string; readonly subject: string; readonly title: string }
    | {
        readonly type: 'plan.pending'
        /** As in `ichor plan --json`. */
        readonly digest: string
        readonly changes: number
        readonly disruptive: number
        /** Data that it would lose, in words. */
        readonly loses: readonly string[]
        /** Titles of its first steps. */
        readonly steps: readonly string[]
        /** From the plan that was pending before. */
        readonly differs?: PlanDifference
      }
    /** Nothing differs from the inventory any more. */
    | { readonly type: 'plan.closed' }
    /** A file approves the pending plan. */
    | { readonly type: 'plan.approved'; readonly digest: string; readonly file: string }
    | { readonly type: 'plan.applied'; readonly digest: string; readonly changed: number }
    /** An approved plan was not carried out, or not all of it. */
    | { readonly type: 'plan.stopped'; readonly digest: string; readonly problem: string; readonly fix: string }
    /** Approved plans are carried out from now on, or no longer. */
    | { readonly type: 'window.opened' }
    | { readonly type: 'window.closed' }
    /** The cluster could not be looked at, or can be again. */
    | { readonly type: 'cluster.unseen'; readonly problem: string; readonly fix: string }
    | { readonly type: 'cluster.seen' }
    /** The inventory cannot be used; the last one that could be stays in use. */
    | { readonly type: 'inventory.refused'; readonly problem: string; readonly where: string; readonly fix: string }
    | { readonly type: 'inventory.accepted' }
    /** Machines are missing from the inventory. */
    | { readonly type: 'inventory.shrank'; readonly machines: readonly string[]; readonly before: number }
  )

/** Titles of steps: added, gone, and those that write something else now. */
export interface PlanDifference {
  readonly more: readonly string[]
  readonly less: readonly string[]
  readonly other: readonly string[]
}

interface Header {
  readonly at: string
  readonly cluster: string
  readonly severity: Severity
}

/** One line for people; control characters of others are left out. */
export function lineOf(event: WatchEvent): string {
  return textOf(event).replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
}

function textOf(event: WatchEvent): string {
  switch (event.type) {
    case 'finding.opened': {
      const { code, title, cure } = event.finding
      return `${code}  ${title}${cure === undefined ? '' : `  Fix: ${cure.command ?? cure.text}`}`
    }
    case 'finding.closed':
      return `${event.code} is over: ${event.title}`
    case 'plan.pending':
      return pendingText(event)
    case 'plan.closed':
      return 'Nothing differs from the inventory any more.'
    case 'plan.approved':
      return `The pending plan is approved by ${event.file}.`
    case 'plan.applied':
      return `The approved plan is applied: ${event.changed} ${event.changed === 1 ? 'change' : 'changes'}.`
    case 'plan.stopped':
      return `The approved plan stopped: ${event.problem}  Fix: ${event.fix}`
    case 'window.opened':
      return 'The window is open: approved plans are applied.'
    case 'window.closed':
      return 'The window is closed.'
    case 'cluster.unseen':
      return `It cannot be looked at: ${event.problem}  Fix: ${event.fix}`
    case 'cluster.seen':
      return 'It can be looked at again.'
    case 'inventory.refused':
      return `The inventory cannot be used, so the last one stays in use: ${event.problem}  ${event.where}  Fix: ${event.fix}`
    case 'inventory.accepted':
      return 'The inventory can be used again.'
    case 'inventory.shrank':
      return `${event.machines.length} of ${event.before} machines are no longer in the inventory: ${event.machines.join(', ')}.`
  }
}

function pendingText({
  changes,
  disruptive,
  loses,
  steps,
  differs,
}: Extract<WatchEvent, { readonly type: 'plan.pending' }>): string {
  const counts = `${changes} ${changes === 1 ? 'step' : 'steps'}${disruptive === 0 ? '' : `, ${disruptive} of them disruptive`}`
  const lost = loses.length === 0 ? '' : ` It would lose: ${loses.join(', ')}.`
  const rest = changes > steps.length ? `, and ${changes - steps.length} more` : ''
  return `A plan is pending (${counts}): ${steps.join(', ')}${rest}.${lost}${differenceText(differs)}  Fix: ichor plan shows it, ichor up applies it`
}

function differenceText(differs: PlanDifference | undefined): string {
  if (differs === undefined) return ''
  const parts = [
    ['also', differs.more],
    ['no longer', differs.less],
    ['with other content', differs.other],
  ] as const
  const found = parts.flatMap(([word, titles]) => (titles.length === 0 ? [] : [`${word} ${titles.join(', ')}`]))
  return found.length === 0 ? '' : ` It differs from the plan before: ${found.join('; ')}.`
}
