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
  readonly store: unknown
}

/**
 * One etcd: who is a member, who of them runs, who leads. Its content is shared by all members; a member that is down
 * is one whose machine does not run it.
 */
export class EtcdCluster {
  readonly id: string
  /** Machines with the same etcd CA belong together. */
  readonly identity: string
  readonly facts: ClusterFacts
  readonly store: KubernetesStore
  readonly members = new Map<string, EtcdMember>()
  readonly alarms = new Map<string, EtcdAlarm>()
  /** Bytes of the database file beyond what the objects take. */
  extraSize = 0
  term = 1
  index = 8
  readonly #running = new Map<string, () => boolean>()
  #leader: string | undefined

  constructor(id: string, identity: string, facts: ClusterFacts, store: KubernetesStore) {
    this.id = id
    this.identity = identity
    this.facts = facts
    this.store = store
  }

  /** The process of a member runs; `answers` says whether it is reachable. The result stops it. */
  run(member: string, answers: () => boolean): () => void {
    this.#running.set(member, answers)
    return () => {
      if (this.#running.get(member) === answers) this.#running.delete(member)
    }
  }

  isRunning(member: string): boolean {
    return this.#running.get(member)?.() === true
  }

  get voters(): EtcdMember[] {
    return [...this.members.values()].filter(({ isLearner }) => !isLearner)
  }

  hasQuorum(): boolean {
    const up = this.voters.filter(({ id }) => this.isRunning(id)).length
    return up > this.voters.length / 2
  }

  /** The member that leads now; with a majority there is always one. */
  leader(): string | undefined {
    if (!this.hasQuorum()) return undefined
    const current = this.#leader
    if (current !== undefined && this.members.get(current)?.isLearner === false && this.isRunning(current))
      return current
    this.lead(this.voters.find(({ id }) => this.isRunning(id))?.id)
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
    this.#running.delete(id)
    this.index++
  }

  save(): SavedEtcdCluster {
    const { id, identity, facts, term, index, extraSize } = this
    const members = [...this.members.values()]
    return {
      id,
      identity,
      facts,
      members,
      term,
      index,
      extraSize,
      alarms: [...this.alarms],
      store: this.store.snapshot(),
    }
  }
}
