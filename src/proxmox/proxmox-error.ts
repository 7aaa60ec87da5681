import { UserFacingError } from '../errors.js'
import { type Meaning, meanings, type ProxmoxErrorKind } from './meanings.js'

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

const byStatus: readonly (Meaning & { status: number })[] = [
  {
    status: 400,
    kind: 'invalid',
    says: /$/,
    means: () => 'Proxmox does not accept a value.',
    fix: 'Correct the value in the inventory. If it comes from ichor itself, please report this.',
  },
  {
    status: 401,
    kind: 'unauthenticated',
    says: /$/,
    means: () => 'Proxmox does not accept the credentials.',
    fix: 'Check PROXMOX_VE_API_TOKEN (USER@REALM!NAME=SECRET), that the token has not expired and that its user is enabled.',
  },
  {
    status: 403,
    kind: 'forbidden',
    says: /$/,
    means: () => 'The token lacks a privilege for this.',
    fix: 'Run "ichor access check" to see what it lacks, and "ichor access" as an administrator to grant it.',
  },
  {
    status: 501,
    kind: 'unknown-call',
    says: /$/,
    means: () => 'This Proxmox does not know the call.',
    fix: 'ichor needs Proxmox VE 8.4 or later for everything and 8.0 for most: upgrade the host.',
  },
  {
    status: 595,
    kind: 'host-down',
    says: /$/,
    means: () => 'The host that the call is for cannot be reached from the one that was asked.',
    fix: 'Bring the host back, or take it out of the inventory (proxmox.target_nodes, placement.avoid).',
    passes: true,
  },
  ...[596, 597, 598, 599, 502, 503, 504].map((status) => ({
    status,
    kind: 'timed-out' as const,
    says: /$/,
    means: () => 'The host that the call is for did not answer in time.',
    fix: 'It may still be working on it: run the command again, it looks first.',
    passes: true as const,
  })),
]

const unknownMeaning: Meaning = {
  kind: 'other',
  says: /$/,
  means: () => 'The call failed.',
  fix: 'Read what Proxmox said; the task list and journal of the host tell more. Then run the command again.',
}

function meaningOf(call: FailedCall): Meaning {
  const words = wordsOf(call)
  const known = meanings.find(({ says }) => says.test(words))
  return call.meaning ?? known ?? byStatus.find(({ status }) => status === call.status) ?? unknownMeaning
}

function wordsOf({ reason, errors }: FailedCall): string {
  return [reason, ...Object.values(errors ?? {})].join('\n')
}

function problemOf(call: FailedCall, meaning: Meaning): string {
  const found = meaning.says.exec(wordsOf(call)) ?? /$/.exec('')
  const means = found === null ? '' : meaning.means(found)
  const parameters = Object.entries(call.errors ?? {}).map(([key, text]) => `${key}: ${text.trim()}`)
  const said = parameters.length > 0 ? parameters.join('; ') : call.reason.trim()
  const unknown = call.outcome === 'unknown' ? ' Whether it took effect is not known.' : ''
  const log = call.log?.length ? ` Last lines of the task: ${call.log.join(' | ')}` : ''
  const answer = call.status === undefined ? 'got no answer' : `gave ${call.status}: ${said}`
  return `${means} ${call.method} ${call.path} ${answer}.${unknown}${log}`
}

function whereOf({ method, path, endpoint, upid }: FailedCall): string {
  const at = endpoint === undefined ? '' : ` at ${endpoint}`
  return `${method} ${path}${at}${upid === undefined ? '' : `, task ${upid}`}`
}
