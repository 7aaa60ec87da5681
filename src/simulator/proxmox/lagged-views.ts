import type { SimClock } from '../core/clock.js'
import type { DatacenterState } from './state.js'

/** The content of the cluster file system; the rest belongs to the hosts. */
type Replicated = Pick<DatacenterState, 'vms' | 'pools' | 'storages' | 'access' | 'options' | 'sections'>

/** Outdated copies of the cluster file system that hosts read. */
export interface LaggedViews {
  /** The copy of that host now lags by that many model milliseconds; 0 ends it. */
  set(host: string, modelMs: number): void
  /** The replicated part in the host's copy; `undefined` if it is current. */
  find(host: string): Replicated | undefined
}

const roundsPerLag = 8

export function createLaggedViews(state: DatacenterState, clock: SimClock): LaggedViews {
  const lags = new Map<string, number>()
  let copies: { readonly at: number; readonly copy: Replicated }[] = []
  let isWatching = false

  const longest = () => Math.max(0, ...lags.values())
  const shortest = () => Math.min(...lags.values())

  const watch = () => {
    isWatching = lags.size > 0
    if (!isWatching) {
      copies = []
      return
    }
    copies.push({ at: clock.now(), copy: replicatedPart(state) })
    const horizon = clock.now() - longest()
    const kept = copies.findLastIndex(({ at }) => at <= horizon)
    copies = copies.slice(Math.max(0, kept))
    clock.after(shortest() / roundsPerLag, watch)
  }

  return {
    set: (host, modelMs) => {
      if (modelMs > 0) lags.set(host, modelMs)
      else lags.delete(host)
      if (lags.size > 0 && !isWatching) watch()
    },
    find: (host) => {
      const lag = lags.get(host)
      if (lag === undefined) return undefined
      const due = clock.now() - lag
      return (copies.findLast(({ at }) => at <= due) ?? copies[0])?.copy
    },
  }
}

function replicatedPart({ vms, pools, storages, access, options, sections }: DatacenterState): Replicated {
  return structuredClone({ vms, pools, storages, access, options, sections })
}
