import { z } from 'zod'
import { hasProbes, probeId, withoutProbes, withProbes } from '../../cluster/node-probes.js'
import { parseVersion } from '../../cluster/version.js'
import { reasonOf, UserFacingError } from '../../errors.js'
import { getAddress } from '../../node/node-address.js'
import type { ObservedMachine } from '../../observe/observed.js'
import type { TalosNode } from '../../talos/api/port.js'
import { trialTime } from '../../trial/trial-time.js'
import { waitUntil } from '../../work/wait-until.js'
import { machineOf } from '../../work/wanted-machine.js'
import type { WorkContext } from '../../work/work-context.js'

/** A node cannot reach a port that the policy opens for nodes. */
class PortsLost extends UserFacingError {
  readonly code = 'ports-lost'
  readonly exitCode = 1
}

/** Talos removes the probes by itself after this time. */
const probesLastMs = 60_000
const patienceMs = 15_000

/**
 * Another control plane and a worker, if there are any, open new connections to every TCP port of these machines that the policy
 * opens for nodes. They use probes of Talos in `try` mode: these are never written to disk, and Talos removes them by itself if
 * ichor does not.
 */
export async function dialFromNodes(machines: readonly string[], context: WorkContext): Promise<void> {
  for (const prober of probersFor(machines, context)) {
    const others = machines.filter((machine) => machine !== prober)
    const endpoints = (await Promise.all(others.map((machine) => endpointsOf(machine, context)))).flat()
    if (endpoints.length > 0) await dialFrom(prober, endpoints, context)
  }
}

/** The first machine of each role that responds, whose Talos has probes, and that has another machine to test. */
function probersFor(machines: readonly string[], { desired, observed }: WorkContext): string[] {
  const wanted = new Map(desired.machines.map(({ machine: { name, role } }) => [name, role]))
  const able = observed.machines.filter(
    (machine) => canProbe(machine) && machines.some((name) => name !== machine.name),
  )
  const first = (role: string) => able.find(({ name }) => wanted.get(name) === role)?.name
  return [first('controlplane'), first('worker')].filter((name) => name !== undefined)
}

function canProbe({ talos }: ObservedMachine): boolean {
  if (talos.reach !== 'secured') return false
  const version = parseVersion(talos.version)
  return version !== undefined && (version.major > 1 || version.minor >= 13)
}

async function endpointsOf(machine: string, context: WorkContext): Promise<string[]> {
  const { desired } = context
  const address = await getAddress(machine, context)
  const host = address.includes(':') ? `[${address}]` : address
  const ports = desired.cluster.nodePorts?.[machineOf(desired, machine).machine.role] ?? []
  return ports.map((port) => `${host}:${port}`)
}

async function dialFrom(machine: string, endpoints: readonly string[], context: WorkContext) {
  const node = context.talos.node({ machine, address: await getAddress(machine, context) })
  const active = await node.resources.machineConfig(context.signal)
  const persisted = await node.resources.persistedConfig(context.signal)
  if (hasProbes(active))
    throw new Error(`${machine} still has the probes of an earlier run, which expire by themselves`)
  if (active !== persisted) {
    context.note(`${machine} does not test connections: its active config differs from the one on its disk`)
    return
  }
  context.assertLease()
  const tryTimeoutSeconds = Math.ceil(trialTime(probesLastMs, context) / 1000)
  try {
    await node.applyConfiguration(withProbes(active, endpoints), { mode: 'try', tryTimeoutSeconds }, context.signal)
    await awaitReached(machine, node, endpoints, context)
  } finally {
    await removeProbes(machine, node, context)
  }
}

async function awaitReached(
  machine: string,
  node: TalosNode,
  endpoints: readonly string[],
  context: WorkContext,
): Promise<void> {
  await waitUntil(
    {
      forWhat: `${machine} to reach the other nodes`,
      where: `machine ${machine}`,
      timeoutMs: patienceMs,
      intervalMs: 1000,
      minAttempts: 3,
      fix: 'Check network.cidr: the rules accept connections between nodes only from addresses in it.',
      machine,
    },
    async () => {
      const lost = await findLost(node, endpoints, context.signal)
      if (lost.length === 0) return true
      throw new PortsLost(`${machine} does not reach ${lost.join(', ')}`, { where: `machine ${machine}`, fix: '' })
    },
    context,
  )
  context.note(`${machine} reaches ${endpoints.join(', ')} over new connections`)
}

const status = z.object({ success: z.boolean(), lastError: z.string().optional() })

/** A refused connection counts as reached: nothing listens on the port, but no rule dropped the packet. */
async function findLost(node: TalosNode, endpoints: readonly string[], signal: AbortSignal): Promise<string[]> {
  const found = await node.resources.list('ProbeStatuses.net.talos.dev', 'network', signal)
  const statuses = new Map(found.map(({ id, spec }) => [id, status.parse(spec)]))
  return endpoints.filter((endpoint) => {
    const { success = false, lastError = '' } = statuses.get(probeId(endpoint)) ?? {}
    return !success && !lastError.includes('connection refused')
  })
}

/** Applies the config on disk, which contains any change that was made meanwhile. */
async function removeProbes(machine: string, node: TalosNode, context: WorkContext): Promise<void> {
  try {
    const persisted = await node.resources.persistedConfig(context.signal)
    context.assertLease()
    await node.applyConfiguration(withoutProbes(persisted), { mode: 'no-reboot' }, context.signal)
  } catch (thrown) {
    context.note(`the probes of ${machine} could not be removed, and expire by themselves: ${reasonOf(thrown)}`)
  }
}
