import type { ClusterFacts, EtcdContent, KubernetesKind } from '../../kubernetes/seam.js'
import { EtcdCluster, type EtcdMember, type SavedEtcdCluster } from './etcd-cluster.js'

/** Every etcd that was ever bootstrapped in the lab. A second bootstrap of the same cluster adds a second one here. */
export class EtcdRegistry {
  readonly #clusters = new Map<string, EtcdCluster>()
  readonly #kubernetes: KubernetesKind
  readonly #randomHex: (bytes: number) => string
  readonly #canTalk: EtcdCluster['canTalk']

  constructor(
    kubernetes: KubernetesKind,
    randomHex: (bytes: number) => string,
    canTalk: (one: EtcdMember, other: EtcdMember) => boolean = () => true,
  ) {
    this.#canTalk = canTalk
    this.#kubernetes = kubernetes
    this.#randomHex = randomHex
  }

  /** A new etcd, empty or with the content of a snapshot. */
  found(identity: string, facts: ClusterFacts, version: string, content?: EtcdContent): EtcdCluster {
    const store =
      content === undefined ? this.#kubernetes.openStore(facts) : this.#kubernetes.recoverStore(facts, content)
    const cluster = new EtcdCluster({ id: this.#randomHex(8), identity, facts, version, store })
    cluster.canTalk = this.#canTalk
    this.#clusters.set(cluster.id, cluster)
    return cluster
  }

  find(id: string): EtcdCluster | undefined {
    return this.#clusters.get(id)
  }

  /** An etcd that a new control plane could join. */
  findJoinable(identity: string): EtcdCluster | undefined {
    return [...this.#clusters.values()].find((cluster) => cluster.identity === identity && cluster.hasQuorum())
  }

  list(): EtcdCluster[] {
    return [...this.#clusters.values()]
  }

  newMemberId(): string {
    return this.#randomHex(8)
  }

  save(): SavedEtcdCluster[] {
    return [...this.#clusters.values()].map((cluster) => cluster.save())
  }

  restore(saved: readonly SavedEtcdCluster[]): void {
    for (const entry of saved) {
      const store = this.#kubernetes.openStore(entry.facts, entry.store)
      const cluster = new EtcdCluster({ ...entry, store })
      cluster.canTalk = this.#canTalk
      for (const member of entry.members) cluster.members.set(member.id, { ...member })
      for (const [member, alarm] of entry.alarms) cluster.alarms.set(member, alarm)
      cluster.extraSize = entry.extraSize
      cluster.term = entry.term
      cluster.index = entry.index
      cluster.downgradeTo = entry.downgradeTo
      this.#clusters.set(cluster.id, cluster)
    }
  }
}
