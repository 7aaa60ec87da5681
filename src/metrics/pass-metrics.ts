import { Counter, Histogram, Registry } from 'prom-client'

export interface PassMetrics {
  record(pass: { readonly cluster: string; readonly outcome: 'seen' | 'unseen'; readonly seconds: number }): void
  text(): Promise<string>
}

/** What a process counts about itself, from its start. */
export function createPassMetrics(): PassMetrics {
  const registry = new Registry()
  const registers = [registry]
  const passes = new Counter({
    name: 'ichor_passes_total',
    help: 'How often a cluster was looked at, and whether it could be.',
    labelNames: ['cluster', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'ichor_pass_duration_seconds',
    help: 'How long it took to look at a cluster.',
    labelNames: ['cluster'],
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300],
    registers,
  })
  return {
    record: ({ cluster, outcome, seconds }) => {
      passes.inc({ cluster, outcome })
      durations.observe({ cluster }, seconds)
    },
    text: () => registry.metrics(),
  }
}
