import type { Plan } from '../../plan/plan.js'
import { machineRows, type PlanFacts } from './machine-rows.js'

/** The least that `plan --json` holds; with the facts, also the machines that it is about. */
export function planReport({ cluster, steps, rounds, away, notes }: Plan, facts?: PlanFacts) {
  const machines = facts === undefined ? [] : machineRows({ steps }, facts)
  return {
    version: 1,
    cluster,
    changes: steps.filter((step) => step.changes).length,
    rounds,
    machines: machines.map(({ reasons: _, disruptive: __, ...row }) => row),
    steps: steps.map(({ id, round, kind, title, after, lane, disruptive, reason, changes, machine, losesData }) => ({
      id,
      round,
      kind,
      title,
      after,
      lane: lane ?? null,
      disruptive,
      reason,
      changes,
      machine: machine ?? null,
      loses_data: losesData ?? null,
    })),
    away,
    notes,
  }
}
