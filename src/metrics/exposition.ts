import { Counter, Gauge, Registry } from 'prom-client'
import { type FamilyName, families, type Sample } from './families.js'

/** Samples as text that Prometheus reads; every family is described, also without samples. */
export function exposition(samples: readonly Sample[]): Promise<string> {
  const registry = new Registry()
  const writers = new Map<string, (sample: Sample) => void>()
  for (const name of Object.keys(families) as FamilyName[]) writers.set(name, writerOf(name, registry))
  for (const sample of samples) writers.get(sample.name)?.(sample)
  return registry.metrics()
}

function writerOf(name: FamilyName, registry: Registry): (sample: Sample) => void {
  const { type, help, labels: labelNames } = families[name]
  const described = { name: `ichor_${name}`, help, labelNames, registers: [registry] }
  if (type === 'gauge') {
    const gauge = new Gauge(described)
    return ({ labels, value }) => gauge.set(labels, value)
  }
  const counter = new Counter(described)
  return ({ labels, value }) => counter.inc(labels, value)
}
