import { clusterChecks } from '../health/cluster-checks.js'
import type { ClusterFacts } from '../health/facts.js'
import { withSharedAnswers } from '../health/shared-answers.js'
import { waitFor } from '../health/wait-for.js'
import { findAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { expectWantedEtcd } from '../machine/planned-etcd.js'
import type { World } from '../world.js'
import { defineStep, noArgs, type StepContext } from './step.js'

const minute = 60_000

/** Risky work starts only if every check passes, so that disruptions do not add up. */
export const confirmHealth = defineStep({
  kind: 'confirm-health',
  args: noArgs,
  title: () => 'check that the cluster is healthy',
  changes: false,
  disruptive: false,
  done: async () => false,
  run: (_args, world, context) => awaitHealth(5 * minute, world, context),
  effect: () => undefined,
})

/** All named health checks, in the order in which they become true. */
export const checkHealth = defineStep({
  kind: 'check-health',
  args: noArgs,
  title: () => 'wait for every health check',
  changes: false,
  disruptive: false,
  done: async () => false,
  run: (_args, world, context) => awaitHealth(20 * minute, world, context),
  effect: (_args, model, desired) => {
    for (const { machine } of desired.machines)
      changeMachine(model, desired, machine.name, ({ talos }) => ({
        talos: talos.reach === 'secured' ? { ...talos, stage: 'running', ready: true } : talos,
      }))
    expectWantedEtcd(model, desired)
  },
})

async function awaitHealth(timeoutMs: number, world: World, context: StepContext): Promise<void> {
  const waiting = { world: withSharedAnswers(world), timeoutMs, intervalMs: 1000, onWait: context.note }
  for (const check of clusterChecks(await factsOf(world, context))) await waitFor(check, waiting, context.signal)
}

async function factsOf(world: World, context: StepContext): Promise<ClusterFacts> {
  const { machines, cluster } = context.desired
  const reachable = await Promise.all(
    machines.map(async ({ machine: { name, role } }) => {
      const address = await findAddress(name, world, context)
      return address === undefined ? [] : [{ name, role, address }]
    }),
  )
  const found = reachable.flat()
  return {
    machines: found,
    endpoints: found
      .filter(({ role }) => role === 'controlplane')
      .map(({ address }) => ({ host: address, port: 6443 })),
    hasCni: cluster.hasNetwork,
  }
}
