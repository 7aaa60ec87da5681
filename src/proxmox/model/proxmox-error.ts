import { UserFacingError } from '../../errors.js'
import type { ErrorRule, ProxmoxErrorKind } from './error-rule.js'
import { errorRules } from './error-rules.js'
import { statusRules, unknownErrorRule } from './status-rules.js'
import { parseUpid } from './upid.js'

/** Whether the call took effect: `failed` and `unreached` mean no; `unknown` means that the VM must be queried. */
export type CallOutcome = 'failed' | 'unreached' | 'unknown'

export interface FailedCall {
  readonly method: string
  readonly path: string
  /** `pve1:8006`, if one was reached. */
  readonly endpoint?: string
  readonly status?: number
  /** The message of Proxmox or of the network. */
  readonly reason: string
  /** Errors by parameter. */
  readonly errors?: Readonly<Record<string, string>>
  readonly upid?: string
  /** The last lines of the task's log. */
  readonly log?: readonly string[]
  readonly outcome: CallOutcome
  /** Set if the message alone does not identify the error. */
  readonly rule?: ErrorRule
  readonly cause?: unknown
}

/** A failed call to Proxmox: which one, the message, its meaning, and the fix. */
export class ProxmoxError extends UserFacingError {
  readonly code: string = 'proxmox'
  readonly exitCode = 1
  readonly kind: ProxmoxErrorKind
  /** The same call may succeed a little later. */
  readonly isTransient: boolean
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly reason: string
  readonly errors: Readonly<Record<string, string>>
  readonly upid: string | undefined
  readonly log: readonly string[]
  readonly outcome: CallOutcome

  constructor(call: FailedCall) {
    const rule = ruleOf(call)
    super(problemOf(call, rule), { where: whereOf(call), fix: rule.fix, cause: call.cause })
    this.kind = rule.kind
    this.isTransient = rule.isTransient ?? false
    this.method = call.method
    this.path = call.path
    this.status = call.status
    this.reason = call.reason
    this.errors = call.errors ?? {}
    this.upid = call.upid
    this.log = call.log ?? []
    this.outcome = call.outcome
  }
}

/** Whether this is a Proxmox failure of one of these kinds. */
export function isProxmoxError(thrown: unknown, ...kinds: readonly ProxmoxErrorKind[]): thrown is ProxmoxError {
  return thrown instanceof ProxmoxError && (kinds.length === 0 || kinds.includes(thrown.kind))
}

function ruleOf(call: FailedCall): ErrorRule {
  const words = wordsOf(call)
  const known = errorRules.find(({ pattern }) => pattern.test(words))
  const byStatus = call.status === undefined ? undefined : statusRules.get(call.status)
  const first = byStatus?.isDecisive ? byStatus : known
  return call.rule ?? first ?? byStatus ?? unknownErrorRule
}

function wordsOf({ reason, errors }: FailedCall): string {
  return [reason, ...Object.values(errors ?? {})].join('\n')
}

function problemOf(call: FailedCall, rule: ErrorRule): string {
  const found = rule.pattern.exec(wordsOf(call)) ?? /$/.exec('')
  const means = found === null ? '' : rule.message(found)
  const parameters = Object.entries(call.errors ?? {}).map(([key, text]) => `${key}: ${text.trim()}`)
  const detail = (parameters.length > 0 ? parameters.join('; ') : call.reason).trim().replace(/[^.!]$/, '$&.')
  const unknown = call.outcome === 'unknown' ? ' Whether it took effect is not known.' : ''
  const log = call.log?.length ? ` Last lines of the task: ${call.log.join(' | ')}` : ''
  const task = call.upid === undefined ? undefined : parseUpid(call.upid)
  if (task !== undefined) {
    const meant = rule === unknownErrorRule ? '' : `${means} `
    const about = task.id === '' ? '' : ` of ${/^\d+$/.test(task.id) ? `VM ${task.id}` : task.id}`
    return `${meant}Task ${task.type}${about} on ${task.host}: ${detail}${unknown}${log}`
  }
  const answer = call.status === undefined ? 'got no answer.' : `gave ${call.status}: ${detail}`
  return `${means} ${call.method} ${call.path} ${answer}${unknown}${log}`
}

/** The path already contains the task's name in its URL-escaped form. */
function whereOf({ method, path, endpoint, upid }: FailedCall): string {
  const at = endpoint === undefined ? '' : ` at ${endpoint}`
  return `${method} ${upid === undefined ? path : path.replace(encodeURIComponent(upid), upid)}${at}`
}
