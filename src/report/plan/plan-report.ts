import type { Plan } from '../../plan/plan.js'
import { machineRows, type PlanFacts } from './machine-rows.js'

/** The stable part of `plan --json`; with the facts, also its machines. */
export function planReport({ cluster, steps, rounds, away, unknown, notes, digester }: Plan, facts?: PlanFacts) {
  const machines = facts === undefined ? [] : machineRows({ steps }, facts)
  return {
    version: 1,
    cluster,
    changes: steps.filter((step) => step.changes).length,
    rounds,
    machines: machines.map(({ reasons: _, disruptive: __, ...row }) => row),
    steps: steps.map((step) => ({
      id: step.id,
      round: step.round,
      kind: step.kind,
      title: step.title,
      after: step.after,
      lane: step.lane ?? null,
      disruptive: step.disruptive,
      reason: step.reason,
      changes: step.changes,
      machine: step.machine ?? null,
      digest: step.digest(digester),
      pending: step.pending,
      loses: step.loses,
      loses_data: step.loses.length === 0 ? null : step.loses.join(', '),
    })),
    away,
    unknown,
    notes,
  }
}
