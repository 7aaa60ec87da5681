import type { ExportedPage } from '../../page/state.js'
import type { Source } from './source.js'

const nothing = { plan: null, at: '', failure: null }

export function exportedSource({ state, plans, runs }: ExportedPage): Source {
  const refuse = () => Promise.reject(new Error('this is a file without a server'))
  return {
    isLive: false,
    state: async () => state,
    plan: async (cluster) => plans[cluster] ?? nothing,
    run: async (cluster, run) => runs[cluster]?.[run] ?? [],
    follow: async () => {},
    lookNow: refuse,
    carryOut: refuse,
  }
}
