import { UsageError } from '../errors.js'
import { findNearest } from '../nearest.js'
import { printable } from '../report/printable.js'
import type { TalosNode } from '../talos/api/port.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { getNodeTarget } from './node-targets.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { inventoryArg, labArg } from './shared-args.js'

export default defineCommand({
  description: 'Shows the log of a service on a node; without a service, lists the services.',
  examples: ['ichor logs dev-cp-1', 'ichor logs dev-cp-1 etcd --tail 50', 'ichor logs dev-wk-1 kubelet --follow'],
  args: {
    ...inventoryArg,
    ...labArg,
    follow: { type: 'flag', short: 'f', help: 'keep printing new lines until Ctrl-C' },
    tail: { type: 'number', placeholder: 'LINES', help: 'how many lines from the end; all by default' },
  },
  positionals: [
    { name: 'NODE', help: 'a machine of the inventory', required: true },
    { name: 'SERVICE', help: 'etcd, kubelet, apid, …; or namespace/pod:container', required: false },
  ],
  async run({ inventory, lab, follow, tail }, context, [name = '', service]) {
    const one = await loadOne(inventory, context)
    await withWorld(one, { lab, mayStartLab: false, talosRoles: ['os:reader'] }, context, async (opened) => {
      const { address } = await getNodeTarget(name, opened.inventory, opened.world, context.signal)
      const node = opened.world.talos.node({ machine: name, address })
      if (service === undefined) await listServices(node, context)
      else await showLogs(node, service, { follow, tailLines: tail ?? -1 }, context)
    })
    return 0
  },
})

/** One line per service: name, state, health, and last message. */
async function listServices(node: TalosNode, { stdout, signal }: Context): Promise<void> {
  const services = await node.services(signal)
  const width = Math.max(...services.map(({ id }) => id.length))
  for (const { id, state, healthy, message } of services) {
    const health = healthy === undefined ? 'not known' : healthy ? 'healthy' : 'unhealthy'
    const line = `${id.padEnd(width)}  ${state.padEnd(11)}  ${health.padEnd(9)}  ${message}`
    stdout.write(`${printable(line.trimEnd())}\n`)
  }
}

/** Kubernetes containers are named by namespace and pod, Talos services by one word. */
async function showLogs(
  node: TalosNode,
  service: string,
  options: { follow: boolean; tailLines: number },
  context: Context,
): Promise<void> {
  const namespace = service.includes('/') ? 'k8s.io' : 'system'
  const { copyTo } = await import('./copy-to.js')
  try {
    await copyTo(context, node.logs({ service, namespace, ...options }, context.signal))
  } catch (thrown) {
    throw (await unknownService(node, service, context.signal)) ?? thrown
  }
}

/** A service that the node does not have, with the closest match. */
async function unknownService(node: TalosNode, service: string, signal: AbortSignal): Promise<UsageError | undefined> {
  const known = await node.services(signal).then(
    (services) => services.map(({ id }) => id),
    (): string[] => [],
  )
  if (service.includes('/') || known.length === 0 || known.includes(service)) return undefined
  const near = findNearest(service, known)
  return new UsageError(`The node has no service ${JSON.stringify(service)}.`, {
    where: 'ichor logs',
    fix: near === undefined ? `Choose one of ${known.join(', ')}.` : `Did you mean ${near}?`,
  })
}
