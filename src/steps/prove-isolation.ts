import { z } from 'zod'
import { ownProbe } from '../cluster/own-probe.js'
import type { PlanRefused } from '../errors.js'
import { notIsolated } from '../findings/refusals/runs.js'
import { getAddress } from '../node/node-address.js'
import type { TalosNode } from '../talos/api/port.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep } from './step.js'

const minute = 60_000

/**
 * Before a machine gets the data of a running cluster, it tries to connect to that cluster and must fail. A probe to
 * its own API verifies that its probes work.
 */
export const proveIsolation = defineStep({
  kind: 'prove-isolation',
  args: z.strictObject({ machine: z.string(), from: z.array(z.string()) }),
  title: ({ machine }) => `prove that ${machine} does not reach the cluster`,
  changes: false,
  disruptive: false,
  done: async () => false,
  async run({ machine, from }, context) {
    const node = context.talos.node({ machine, address: await getAddress(machine, context) })
    const reached = await waitUntil(
      {
        forWhat: `the probes of ${machine} to have tried ${from.join(', ')}`,
        where: `machine ${machine}`,
        timeoutMs: 3 * minute,
        intervalMs: 1000,
        fix: `talosctl get probestatuses shows what they found. Run the same command again to start over.`,
        machine,
      },
      () => findReached(node, from, context.signal),
      context,
    )
    if (reached.length > 0) throw reaches(machine, reached)
    context.note(`${machine} cannot reach ${from.join(', ')}`)
  },
  effect: () => undefined,
})

/** Which of these responded; `undefined` until every probe has a result. */
async function findReached(
  node: TalosNode,
  endpoints: readonly string[],
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const statuses = await node.resources.list('ProbeStatuses.net.talos.dev', 'network', signal)
  const hasAnswered = new Map(
    statuses.map(({ id, spec }) => [id, z.object({ success: z.boolean() }).parse(spec).success]),
  )
  if (hasAnswered.get(`tcp:${ownProbe}`) !== true) return undefined
  const found = endpoints.map((endpoint) => ({ endpoint, isReached: hasAnswered.get(`tcp:${endpoint}`) }))
  const reached = found.filter(({ isReached }) => isReached === true).map(({ endpoint }) => endpoint)
  return reached.length > 0 || found.every(({ isReached }) => isReached === false) ? reached : undefined
}

function reaches(machine: string, endpoints: readonly string[]): PlanRefused {
  return notIsolated.refuse(`${machine} reaches the cluster at ${endpoints.join(', ')}: its bridge is not isolated.`, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Nothing was restored. Set drill.bridge to a bridge from which the cluster cannot be reached, and remove drill.isolated.',
  })
}
