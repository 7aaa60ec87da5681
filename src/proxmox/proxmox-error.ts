import { UserFacingError } from '../errors.js'
import type { Meaning, ProxmoxErrorKind } from './meaning.js'
import { meanings } from './meanings.js'
import { statusMeanings, unknownMeaning } from './status-meanings.js'
import { parseUpid } from './upid.js'

/** Whether the call took effect: `failed` and `unreached` say no; `unknown` means that the VM must be asked. */
export type CallOutcome = 'failed' | 'unreached' | 'unknown'

export interface FailedCall {
  readonly method: string
  readonly path: string
  /** `pve1:8006`, where one was reached. */
  readonly endpoint?: string
  readonly status?: number
  /** The words of Proxmox, or of the network. */
  readonly reason: string
  /** What is wrong with which parameter. */
  readonly errors?: Readonly<Record<string, string>>
  readonly upid?: string
  /** The last lines of the task's log. */
  readonly log?: readonly string[]
  readonly outcome: CallOutcome
  /** Where the words alone do not tell what it means. */
  readonly meaning?: Meaning
  readonly cause?: unknown
}

/** A call to Proxmox that did not do what was asked: which one, what was said, what it means, what to do. */
export class ProxmoxError extends UserFacingError {
  readonly code: string = 'proxmox'
  readonly exitCode = 1
  readonly kind: ProxmoxErrorKind
  /** The same call may go through a little later. */
  readonly passes: boolean
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly reason: string
  readonly errors: Readonly<Record<string, string>>
  readonly upid: string | undefined
  readonly log: readonly string[]
  readonly outcome: CallOutcome

  constructor(call: FailedCall) {
    const meaning = meaningOf(call)
    super(problemOf(call, meaning), { where: whereOf(call), fix: meaning.fix, cause: call.cause })
    this.kind = meaning.kind
    this.passes = meaning.passes ?? false
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

/** Whether this is a failure of Proxmox of one of these kinds. */
export function isProxmoxError(thrown: unknown, ...kinds: readonly ProxmoxErrorKind[]): thrown is ProxmoxError {
  return thrown instanceof ProxmoxError && (kinds.length === 0 || kinds.includes(thrown.kind))
}

function meaningOf(call: FailedCall): Meaning {
  const words = wordsOf(call)
  const known = meanings.find(({ says }) => says.test(words))
  const byStatus = call.status === undefined ? undefined : statusMeanings.get(call.status)
  const first = byStatus?.isDecisive ? byStatus : known
  return call.meaning ?? first ?? byStatus ?? unknownMeaning
}

function wordsOf({ reason, errors }: FailedCall): string {
  return [reason, ...Object.values(errors ?? {})].join('\n')
}

function problemOf(call: FailedCall, meaning: Meaning): string {
  const found = meaning.says.exec(wordsOf(call)) ?? /$/.exec('')
  const means = found === null ? '' : meaning.means(found)
  const parameters = Object.entries(call.errors ?? {}).map(([key, text]) => `${key}: ${text.trim()}`)
  const said = (parameters.length > 0 ? parameters.join('; ') : call.reason).trim().replace(/[^.!]$/, '$&.')
  const unknown = call.outcome === 'unknown' ? ' Whether it took effect is not known.' : ''
  const log = call.log?.length ? ` Last lines of the task: ${call.log.join(' | ')}` : ''
  const task = call.upid === undefined ? undefined : parseUpid(call.upid)
  if (task !== undefined) {
    const meant = meaning === unknownMeaning ? '' : `${means} `
    const about = task.id === '' ? '' : ` of ${/^\d+$/.test(task.id) ? `VM ${task.id}` : task.id}`
    return `${meant}Task ${task.type}${about} on ${task.host}: ${said}${unknown}${log}`
  }
  const answer = call.status === undefined ? 'got no answer.' : `gave ${call.status}: ${said}`
  return `${means} ${call.method} ${call.path} ${answer}${unknown}${log}`
}

/** The name of a task stands in the path already, escaped as a path needs it and nobody else. */
function whereOf({ method, path, endpoint, upid }: FailedCall): string {
  const at = endpoint === undefined ? '' : ` at ${endpoint}`
  return `${method} ${upid === undefined ? path : path.replace(encodeURIComponent(upid), upid)}${at}`
}
