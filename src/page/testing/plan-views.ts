import type { PlanView, StepView } from '../../events/plan-view.js'

function aStepView(id: string, changes: Partial<StepView> = {}): StepView {
  return {
    id,
    round: 1,
    lane: null,
    kind: 'start-machine',
    title: id,
    reason: 'new machine',
    machine: null,
    after: [],
    waits: false,
    disruptive: false,
    loses: [],
    loses_data: null,
    changes: [],
    digest: null,
    pending: [],
    ...changes,
  }
}

/** A plan with one harmless step. */
export function aPlanView(changes: Partial<PlanView> = {}): PlanView {
  return {
    version: 2,
    cluster: 'dev',
    cluster_id: null,
    goal: 'up',
    target: null,
    made_at: '2026-11-19T10:00:00.000Z',
    ichor_version: '0',
    digest: 'harmless',
    lease: null,
    expires: null,
    seal: null,
    talos_version: 'v1.13.9',
    kubernetes_version: 'v1.36.3',
    endpoint: null,
    hosts: [],
    changes: 1,
    rounds: 1,
    steps: [aStepView('start a')],
    machines: [],
    others: [],
    away: [],
    unknown: [],
    notes: [],
    differences: [],
    findings: [],
    ...changes,
  }
}
