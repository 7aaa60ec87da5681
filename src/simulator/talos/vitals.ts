import type { Vitals } from '../core/availability.js'
import type { Fleet } from './fleet.js'
import { findMembership } from './machine/etcd-life.js'
import type { TalosMachine } from './machine/machine.js'

/** What the machines provide now. */
export function vitalsOf({ machines, etcd }: Fleet): Vitals {
  const all = [...machines]
  const endpoints = new Set(all.flatMap((machine) => [...(machine.networkFacts?.vips ?? []), ...clusterOf(machine)]))
  return {
    apis: [...endpoints].map((endpoint) => ({ endpoint, isServed: all.some((machine) => serves(machine, endpoint)) })),
    etcds: etcd.list().map((cluster) => ({ id: cluster.id, hasMajority: cluster.hasQuorum() })),
    machines: all.map((machine) => ({ name: machine.hardware.name, isReady: isReady(machine) })),
  }
}

function clusterOf({ facts }: TalosMachine): string[] {
  return facts?.role === 'controlplane' ? [facts.clusterName] : []
}

function serves(machine: TalosMachine, endpoint: string): boolean {
  const membership = findMembership(machine)
  if (machine.isHung || !machine.staticPodsAreUp || membership?.cluster.hasQuorum(membership.member) !== true)
    return false
  return machine.vips.has(endpoint) || clusterOf(machine).includes(endpoint)
}

function isReady({ stage, unmet, nodeIsReady, isHung }: TalosMachine): boolean {
  return stage === 'running' && nodeIsReady && !isHung && unmet.length === 0
}
