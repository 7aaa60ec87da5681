import type { PlanView } from '../events/plan-view.js'
import { Journals } from './journals.js'
import { keepLast } from './keep-last.js'
import type { Snapshot } from './snapshot.js'
import type { ClusterState, Failure, HostLoads, PlanAnswer } from './state.js'

/** What the page may ask of one cluster. Only `carryOut` changes anything. */
export interface PageCluster {
  readonly name: string
  readonly options: string
  /** Of its inventory. */
  readonly folder: string
  look(signal: AbortSignal): Promise<Snapshot>
  plan(signal: AbortSignal): Promise<PlanView>
  /** Missing unless the page may change something. Refuses any plan but the one with this digest. */
  readonly carryOut?: (digest: string, signal: AbortSignal) => Promise<void>
}

const maxHistory = 120
/** Looks take at most about 3 % of a CPU core: a large cluster is looked at less often. */
const restShare = 32

/** Looks at a cluster repeatedly while a page is open, and keeps what was seen. */
export class WatchedCluster {
  readonly cluster: PageCluster
  readonly journals: Journals
  #snapshot: Snapshot | null = null
  #failure: Failure | null = null
  #missed = 0
  #history: ClusterState['history'] = []
  #looking: Promise<void> | undefined
  #looks = 0
  #nextLookAt = 0
  #everyMs = 0
  #planning: Promise<PlanAnswer> | undefined

  constructor(cluster: PageCluster) {
    this.cluster = cluster
    this.journals = new Journals(cluster.folder)
  }

  async state(): Promise<ClusterState> {
    const { name, options } = this.cluster
    return {
      name,
      options,
      snapshot: this.#snapshot,
      failure: this.#failure,
      missed: this.#missed,
      looks: this.#looks,
      every_ms: this.#everyMs,
      history: this.#history,
      runs: await this.journals.list(),
    }
  }

  /** Begins a look if it is due. Resolves when none is under way. */
  lookAgain(everyMs: number, signal: AbortSignal): Promise<void> {
    if (this.#looking === undefined && performance.now() >= this.#nextLookAt) return this.lookNow(everyMs, signal)
    return this.#looking ?? Promise.resolve()
  }

  /** Begins a look if none is under way. */
  lookNow(everyMs: number, signal: AbortSignal): Promise<void> {
    this.#looking ??= this.#lookAndRest(everyMs, signal).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** What `up` would do now. All who ask while it is planned get the same answer. */
  plan(signal: AbortSignal): Promise<PlanAnswer> {
    this.#planning ??= this.#askPlan(signal).finally(() => {
      this.#planning = undefined
    })
    return this.#planning
  }

  /** The CPU time is that of the process, so that several clusters share what one may take. */
  async #lookAndRest(everyMs: number, signal: AbortSignal): Promise<void> {
    const [beganAt, before] = [performance.now(), process.cpuUsage()]
    await this.#look(signal)
    const { user, system } = process.cpuUsage(before)
    const tookMs = performance.now() - beganAt
    this.#everyMs = Math.round(Math.max(everyMs, tookMs + ((user + system) / 1000) * restShare))
    this.#nextLookAt = beganAt + this.#everyMs
    this.#looks++
  }

  async #look(signal: AbortSignal): Promise<void> {
    try {
      this.#snapshot = keepLast(this.#snapshot, await this.cluster.look(signal))
      this.#failure = null
      this.#missed = 0
      this.#history = [...this.#history, loadsOf(this.#snapshot)].slice(-maxHistory)
    } catch (thrown) {
      this.#failure = { ...failureOf(thrown), since: this.#failure?.since ?? new Date().toISOString() }
      this.#missed++
    }
  }

  async #askPlan(signal: AbortSignal): Promise<PlanAnswer> {
    const at = new Date().toISOString()
    try {
      return { plan: await this.cluster.plan(signal), at, failure: null }
    } catch (thrown) {
      return { plan: null, at, failure: { ...failureOf(thrown), since: at } }
    }
  }
}

function loadsOf({ at, hosts }: Snapshot): HostLoads {
  const online = hosts.filter((host) => host.online)
  const memory = online.flatMap(({ name, memory: total, memory_used: used }) =>
    total !== null && total > 0 && used !== null ? [[name, rounded(used / total)] as const] : [],
  )
  const cpu = online.flatMap(({ name, cpu_ratio: ratio }) => (ratio === null ? [] : [[name, rounded(ratio)] as const]))
  return { at, memory: Object.fromEntries(memory), cpu: Object.fromEntries(cpu) }
}

/** More digits than a small picture can show would be most of what is sent. */
function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}

/** Errors for users carry where and what to do. */
export function failureOf(thrown: unknown): Omit<Failure, 'since'> {
  const problem = thrown instanceof Error ? thrown.message : String(thrown)
  const { where = '', fix = '' } = thrown as { where?: unknown; fix?: unknown }
  return { problem, where: typeof where === 'string' ? where : '', fix: typeof fix === 'string' ? fix : '' }
}
