import type { RotationTarget } from '../../src/cluster/rotation.js'
import type { FaultRule } from '../../src/simulator/index.js'
import type { Edit } from './shape.js'

/** One thing that happens in a sequence: plain data, so that a failing one can be printed, cut down and repeated. */
export type Action =
  | Run
  | { readonly do: 'edit'; readonly change: Edit }
  | ({ readonly do: 'hand' } & HandAction)
  | ({ readonly do: 'trouble' } & Trouble)
  /** Every trouble ends. */
  | { readonly do: 'calm' }
  /** A copy of the secrets file is put aside, the oldest of them is put back, or the file is lost. */
  | { readonly do: 'secrets'; readonly what: 'copy' | 'restore' | 'lose' }
  /** One operator gets the files that another one has changed. */
  | { readonly do: 'checkout'; readonly what: 'pull' | 'push' }

export interface Run {
  readonly do: 'run'
  readonly verb:
    | 'up'
    | 'destroy'
    | 'replace'
    | 'reboot'
    | `rotate-${RotationTarget}`
    | 'backup'
    | 'restore'
    | 'drill'
    | 'evacuate'
    | 'scale'
    | 'upgrade'
    | RareVerb
    | ReadingVerb
  /** Which machine, host or snapshot, for verbs that name one: the nth, counted around. */
  readonly target?: number
  readonly faults?: readonly FaultRule[]
  /** What happens to the run itself, and at which mutating call. */
  readonly end?: { readonly how: 'kill' | 'interrupt' | 'freeze' | 'kill-in-write'; readonly at: number }
  /** What somebody does meanwhile, at which mutating call. */
  readonly meanwhile?: {
    readonly at: number
    readonly action: HandAction | Trouble | { readonly what: 'second-up' }
    /** The workers that the run then waits for take longer than that. */
    readonly isOutlasted?: true
  }
  /** In a process of its own, with a real SIGKILL. */
  readonly isProcess?: boolean
  /** By the second operator, who has files of their own. */
  readonly isFromLaptop?: true
  /** What becomes of the operator's disk, and at which write to it. */
  readonly disk?: { readonly how: 'full' | 'read-only'; readonly at: number }
  /** How far the operator's clock is ahead. */
  readonly clockMs?: number
}

/** What most clusters see once in a while. */
export const rareVerbs = [
  'scale-down',
  'scale-pool',
  'upgrade-first',
  'upgrade-back',
  'backup-prune',
  'image-prune',
  'lock',
  'shutdown',
  'doctor-fix',
  'recover-secrets',
  'replace-lost-host',
] as const
export type RareVerb = (typeof rareVerbs)[number]

/** They look, and change nothing. */
export const readingVerbs = ['plan', 'status', 'health', 'capacity', 'metrics', 'doctor', 'watch'] as const
export type ReadingVerb = (typeof readingVerbs)[number]

/** Somebody works with the web interface, talosctl or kubectl. */
export interface HandAction {
  readonly what:
    | 'stop'
    | 'start'
    | 'reset'
    | 'delete'
    | 'clone'
    | 'migrate'
    | 'retag'
    | 'unmark'
    | 'remark'
    | 'rename'
    | 'unpool'
    | 'resize-memory'
    | 'protect'
    | 'insert-iso'
    | 'delete-node'
    | 'cordon'
    | 'keep-secret'
  /** Which machine: the nth of those that there are, counted around. */
  readonly target: number
}

/** What befalls hosts and machines until it calms down. */
export interface Trouble {
  readonly what:
    | 'host-offline'
    | 'lose-quorum'
    | 'fill-storage'
    | 'hang'
    | 'expire-certificate'
    | 'close-api'
    | 'clock-ahead'
    | 'etcd-slow'
    | 'etcd-no-space'
    | 'power-cut'
    | 'hang-api'
    | 'lag-statistics'
    | 'fail-start'
    | 'internal-error'
    | 'slow-storage'
    | 'read-only-storage'
    | 'cut'
    | 'lag-files'
    | 'revoke-token'
    | 'narrow-token'
    | 'etcd-corrupt'
    | 'clock-behind'
  /** Which host or machine. */
  readonly target: number
}

export const handActions: readonly HandAction['what'][] = [
  'stop',
  'start',
  'reset',
  'delete',
  'clone',
  'migrate',
  'retag',
  'unmark',
  'remark',
  'rename',
  'unpool',
  'resize-memory',
  'protect',
  'insert-iso',
  'delete-node',
  'cordon',
  'keep-secret',
]

export const troubles: readonly Trouble['what'][] = [
  'host-offline',
  'lose-quorum',
  'fill-storage',
  'hang',
  'expire-certificate',
  'close-api',
  'clock-ahead',
  'etcd-slow',
  'etcd-no-space',
  'power-cut',
  'hang-api',
  'lag-statistics',
  'fail-start',
  'internal-error',
  'slow-storage',
  'read-only-storage',
  'cut',
  'lag-files',
  'revoke-token',
  'narrow-token',
  'etcd-corrupt',
  'clock-behind',
]

/** In a line, for people. */
export function describeAction(action: Action): string {
  const { do: kind, ...rest } = action
  return `${kind} ${JSON.stringify(rest)}`
}
