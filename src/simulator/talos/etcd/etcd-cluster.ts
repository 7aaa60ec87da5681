import type { ClusterFacts, KubernetesStore } from '../../kubernetes/seam.js'

export interface EtcdMember {
  /** 16 lower-case hex digits. */
  readonly id: string
  readonly name: string
  readonly peerUrls: readonly string[]
  readonly clientUrls: readonly string[]
  isLearner: boolean
}

export type EtcdAlarm = 'nospace' | 'corrupt'

export interface SavedEtcdCluster {
  readonly id: string
  readonly identity: string
  readonly facts: ClusterFacts
  readonly members: readonly EtcdMember[]
  readonly term: number
  readonly index: number
  readonly alarms: readonly (readonly [member: string, alarm: EtcdAlarm])[]
  readonly extraSize: number
  readonly version: string
  readonly downgradeTo?: string
  readonly store: unknown
}

export interface NewEtcdCluster extends Pick<SavedEtcdCluster, 'id' | 'identity' | 'facts' | 'version'> {
  readonly store: KubernetesStore
}

interface RunningMember {
  readonly answers: () => boolean
  readonly version: string
}

/**
 * One etcd: its members, which of them run, and the leader. All members share its content; a member is down if its
 * machine does not run it.
 */
export class EtcdCluster {
  readonly id: string
  /** Machines with the same etcd CA and cluster ID belong together. */
  readonly identity: string
  readonly facts: ClusterFacts
  readonly store: KubernetesStore
  readonly members = new Map<string, EtcdMember>()
  readonly alarms = new Map<string, EtcdAlarm>()
  /** Members that never catch up with the leader. */
  readonly laggards = new Set<string>()
  /** Size of the database file in bytes beyond its objects. */
  extraSize = 0
  term = 1
  index = 8
  /** The cluster version of all members: `3.6.0`. It rises once every member runs a later etcd. */
  version: string
  /** Set during a downgrade: members may then run the version before this one. */
  downgradeTo: string | undefined
  /** Whether two members reach each other. */
  canTalk: (one: EtcdMember, other: EtcdMember) => boolean = () => true
  readonly #running = new Map<string, RunningMember>()
  #leader: string | undefined

  constructor({ id, identity, facts, store, version }: NewEtcdCluster) {
    this.id = id
    this.identity = identity
    this.facts = facts
    this.store = store
    this.version = version
  }

  /** The process of a member runs; `answers` decides whether it is reachable. The returned function stops it. */
  run(member: string, answers: () => boolean, version: string): () => void {
    const running = { answers, version }
    this.#running.set(member, running)
    this.agreeOnVersion()
    return () => {
      if (this.#running.get(member) === running) this.#running.delete(member)
    }
  }

  isRunning(member: string): boolean {
    return this.#running.get(member)?.answers() === true
  }

  /** The schema version of the database; not stored before 3.6. */
  get storageVersion(): string | undefined {
    return minorOf(this.version) >= 6 ? this.version : undefined
  }

  /** `3.6.12`, of a running member. */
  versionOf(member: string): string | undefined {
    return this.#running.get(member)?.version
  }

  /**
   * Raises the version to the lowest running one, and ends a completed downgrade. Needs a response from every member.
   */
  agreeOnVersion(): void {
    const versions = [...this.members.keys()].map((id) => (this.isRunning(id) ? this.versionOf(id) : undefined))
    const minors = versions.flatMap((version) => (version === undefined ? [] : [minorOf(version)]))
    if (minors.length === 0 || minors.length < this.members.size) return
    const lowest = Math.min(...minors)
    if (this.downgradeTo === undefined) {
      if (lowest > minorOf(this.version)) this.version = `3.${lowest}.0`
      return
    }
    this.version = this.downgradeTo
    if (Math.max(...minors) <= minorOf(this.downgradeTo)) this.downgradeTo = undefined
  }

  get voters(): EtcdMember[] {
    return [...this.members.values()].filter(({ isLearner }) => !isLearner)
  }

  /** Whether a majority of the voters runs; with a member, whether that one is part of it. */
  hasQuorum(member?: string): boolean {
    const up = this.voters.filter(({ id }) => this.isRunning(id))
    if (up.length <= this.voters.length / 2) return false
    const judged = member === undefined ? up : up.filter(({ id }) => id === member)
    return judged.some((one) => this.#reaches(one, up).length > this.voters.length / 2) || this.#isLearning(member, up)
  }

  #reaches(one: EtcdMember, up: readonly EtcdMember[]): EtcdMember[] {
    return up.filter((other) => other === one || this.canTalk(one, other))
  }

  /** A learner has no vote, and follows the majority. */
  #isLearning(member: string | undefined, up: readonly EtcdMember[]): boolean {
    const learner = member === undefined ? undefined : this.members.get(member)
    if (learner?.isLearner !== true) return false
    return up.some((one) => this.canTalk(learner, one) && this.#reaches(one, up).length > this.voters.length / 2)
  }

  /** The current leader; with a majority there is always one. */
  leader(): string | undefined {
    if (!this.hasQuorum()) return undefined
    const current = this.#leader
    if (current !== undefined && this.members.get(current)?.isLearner === false && this.hasQuorum(current))
      return current
    this.lead(this.voters.find(({ id }) => this.hasQuorum(id))?.id)
    return this.#leader
  }

  lead(member: string | undefined): void {
    this.#leader = member
    this.term++
    this.index++
  }

  add(member: EtcdMember): void {
    this.members.set(member.id, member)
    this.index++
  }

  promote(id: string): void {
    const member = this.members.get(id)
    if (member !== undefined) member.isLearner = false
    this.index++
  }

  remove(id: string): void {
    this.members.delete(id)
    this.alarms.delete(id)
    this.laggards.delete(id)
    this.#running.delete(id)
    this.index++
  }

  save(): SavedEtcdCluster {
    const { id, identity, facts, term, index, extraSize, version, downgradeTo } = this
    const members = [...this.members.values()]
    return {
      id,
      identity,
      facts,
      members,
      term,
      index,
      extraSize,
      version,
      ...(downgradeTo === undefined ? {} : { downgradeTo }),
      alarms: [...this.alarms],
      store: this.store.save(),
    }
  }
}

export function minorOf(version: string): number {
  return Number(version.split('.')[1])
}
