import type { Hand } from './hand.js'
import type { Ended } from './ichor.js'
import type { Keys } from './keys.js'
import type { Shape } from './shape.js'
import type { Site } from './site.js'

/** What has happened so far, and what may be refused because of it. */
export interface Book {
  readonly site: Site
  readonly hand: Hand
  /** What the inventory says now. */
  shape: Shape
  /** Every run of ichor, with what it said. */
  readonly runs: Ended[]
  readonly excuses: Excuse[]
  /** VMs that the hand made: as foreign as any. */
  readonly madeByHand: Set<number>
  /** VMs from which the hand took what proves whose they are: nobody may touch them, and nobody can call them left behind. */
  readonly disowned: Set<number>
  /** What calms down again. */
  readonly troubles: (() => Promise<void> | void)[]
  /** A trouble keeps Proxmox from answering. */
  isProxmoxTroubled: boolean
  /** Copies of the secrets file. */
  readonly copies: string[]
  /** What the secrets have held, and what machines run with. */
  readonly keys: Keys
  /** Hosts that were lost for ever, with what is on their disks. */
  readonly lostHosts: Set<string>
  /** How often an empty etcd may have been made: once for every life of the cluster. */
  lives: number
  /** How often an etcd may have come from a snapshot: once for every run of `restore`. */
  restores: number
  /** When the cluster was destroyed, or its etcd replaced, in model time. */
  readonly destructions: { readonly from: number; readonly to: number }[]
  /** Machines that were reset while pods ran on them that nobody had asked to leave. */
  readonly undrained: string[]
  /** etcd is being replaced by one from a snapshot: its members are wiped as they are. */
  isRestoring: boolean
  /** The user said that an empty etcd may be made. */
  newEtcd: boolean
  /** Workers of Proxmox were killed, and may have left what only root can remove. */
  wereTasksKilled: boolean
  /** Certificate authorities are not those of the first day any more. */
  wereRotated: boolean
  readonly log: (text: string) => void
}

/** A refusal that is right, because a person must do something first; and what that person does. */
export interface Excuse {
  readonly because: string
  /** What the refusal says. */
  readonly pattern: RegExp
  /** How the run ends: refused, unless said otherwise. */
  readonly code?: number
  /** Whether it still holds; always, unless said otherwise. */
  isValid?(): boolean
  heal(refused: Ended): Promise<void>
}

export function findExcuse({ excuses }: Book, { code: ended, stderr }: Ended): Excuse | undefined {
  return excuses.find(
    ({ pattern, code = 3, isValid }) => code === ended && pattern.test(stderr) && (isValid?.() ?? true),
  )
}
