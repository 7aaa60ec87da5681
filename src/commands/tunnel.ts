import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { openTunnels, type Tunnel, type TunnelRequest } from '../reach/tunnel.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { findNodeTargets, type NodeTarget } from './node-targets.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Forwards local ports to the APIs of the nodes, Kubernetes and Proxmox through the same jump host or proxy that ichor uses, until Ctrl-C.',
  examples: ['ichor tunnel', 'ichor tunnel --base-port 15000', 'ichor tunnel --json | jq'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    basePort: {
      type: 'number',
      placeholder: 'PORT',
      help: 'the first local port; free ones by default',
      integer: true,
      min: 1,
      max: 65_535,
    },
  },
  async run({ inventory, json, lab, basePort }, context) {
    const one = await loadOne(inventory, context)
    await withWorld(
      one,
      { lab, mayStartLab: false, talosRoles: ['os:reader'] },
      context,
      async ({ inventory: loaded, world }) => {
        const targets = await findNodeTargets(loaded, world, context.signal)
        const requests = withPorts(tunnelRequests(loaded, targets), basePort)
        const onError = (name: string, thrown: unknown) => void context.stderr.write(`${name}: ${thrown}\n`)
        const open = await openTunnels(world.dialer, requests, onError)
        context.stdout.write(json ? `${JSON.stringify({ version: 1, tunnels: open.tunnels })}\n` : textOf(open.tunnels))
        await untilStopped(context)
        await open.close()
      },
    )
    return 0
  },
})

/** Talos on every node, Kubernetes on the control planes, and Proxmox if the inventory names it. */
export function tunnelRequests({ settings }: Inventory, targets: readonly NodeTarget[]): TunnelRequest[] {
  const controlPlanes = targets.filter(({ role }) => role === 'controlplane')
  return [
    ...targets.map(({ name, address }) => ({
      name: `Talos API of ${name}`,
      target: { host: address, port: 50_000 },
    })),
    ...controlPlanes.map(({ name, address }) => ({
      name: `Kubernetes API on ${name}`,
      target: { host: address, port: 6443 },
    })),
    ...settings.proxmox.endpoints.map((endpoint) => {
      const { hostname, port } = new URL(endpoint)
      return { name: `Proxmox on ${hostname}`, target: { host: hostname, port: Number(port || 8006) } }
    }),
  ]
}

function withPorts(requests: readonly TunnelRequest[], basePort: number | undefined): TunnelRequest[] {
  if (basePort !== undefined && basePort + requests.length - 1 > 65_535) {
    throw new UsageError(`${requests.length} tunnels from port ${basePort} on need ports above 65535.`, {
      where: '--base-port',
      fix: `Choose a port up to ${65_536 - requests.length}.`,
    })
  }
  return requests.map((request, index) => (basePort === undefined ? request : { ...request, port: basePort + index }))
}

function textOf(tunnels: readonly Tunnel[]): string {
  const width = Math.max(...tunnels.map(({ name }) => name.length))
  const lines = tunnels.map(({ name, host, port }) => `${name.padEnd(width)}  ${host}:${port}`)
  return `${lines.join('\n')}\n\nOpen until Ctrl-C.\n`
}

function untilStopped({ signal }: Context): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
