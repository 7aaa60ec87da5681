import { expectWantedEtcd } from '../etcd/planned-etcd.js'
import { refuseSickEtcd } from '../etcd/refuse-sick-etcd.js'
import { clusterChecks } from '../health/cluster-checks.js'
import { type ClusterFacts, controlPlanesOf } from '../health/facts.js'
import { withSharedAnswers } from '../health/shared-answers.js'
import { waitFor } from '../health/wait-for.js'
import { findAddress } from '../node/node-address.js'
import { changeMachine } from '../vm/observed-change.js'
import { defineStep, noArgs, type StepContext } from './step.js'

const minute = 60_000

/** Risky work starts only if every check passes, so that disruptions do not add up. */
export const confirmHealth = defineStep({
  kind: 'confirm-health',
  args: noArgs,
  title: () => 'check that the cluster is healthy',
  changes: false,
  disruptive: false,
  inUpgrade: 'before',
  done: async () => false,
  run: (_args, context) => awaitHealth(5 * minute, context),
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
  run: (_args, context) => awaitHealth(20 * minute, context),
  effect: (_args, model, desired) => {
    for (const { machine } of desired.machines)
      changeMachine(model, desired, machine.name, ({ talos }) => ({
        talos: talos.reach === 'secured' ? { ...talos, stage: 'running', ready: true } : talos,
      }))
    expectWantedEtcd(model, desired)
  },
})

async function awaitHealth(timeoutMs: number, context: StepContext): Promise<void> {
  const facts = await factsOf(context)
  await refuseSickEtcd(controlPlanesOf(facts), context)
  const waiting = { world: withSharedAnswers(context), timeoutMs, intervalMs: 1000, onWait: context.note }
  for (const check of clusterChecks(facts)) await waitFor(check, waiting, context.signal)
}

async function factsOf(context: StepContext): Promise<ClusterFacts> {
  const { machines, cluster } = context.desired
  const reachable = await Promise.all(
    machines.map(async ({ machine: { name, role } }) => {
      const address = await findAddress(name, context)
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
    ...(cluster.unmanaged === undefined ? {} : { unmanaged: cluster.unmanaged }),
  }
}
