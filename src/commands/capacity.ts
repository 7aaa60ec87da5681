import { resolve } from 'node:path'
import { writeDurably } from '../durable-file.js'
import type { Inventory } from '../inventory/inventory.js'
import { type Capacity, capacityOf } from '../operations/capacity.js'
import type { HostLoadReport } from '../operations/status/host-load.js'
import type { Facts } from '../placement/index.js'
import { capacitySvg } from '../render/capacity-svg.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import { cannotWrite } from './cannot-write.js'
import { capacityReport, capacityText } from './capacity-report.js'
import { forEachInventory } from './each-cluster.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { withWorld } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Shows the hosts, what runs where, and what is free. Uses only the inventory, unless --live or --lab reads hosts, storages and other VMs from Proxmox.',
  examples: [
    'ichor capacity -i examples/hyperconverged',
    'ichor capacity --live --lose pve2',
    'ichor capacity --json | jq .hosts[].memory.free',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    live: { type: 'flag', help: 'read the size of hosts and other VMs from Proxmox' },
    lose: { type: 'text', placeholder: 'HOST', help: 'whether etcd, the API and each pool survive without this host' },
    svg: { type: 'text', placeholder: 'FILE', help: 'also write a picture of hosts and machines' },
  },
  async run({ inventory, json, lab, live, lose, svg }, context) {
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const asked = live || lab ? await askFacts(one, lab, context) : undefined
      const capacity = withLoads(capacityOf(one, asked?.facts, lose), asked)
      context.stdout.write(
        json
          ? `${JSON.stringify(capacityReport(capacity))}\n`
          : capacityText(capacity, textStyle(context.stdout, context.env), widthOf(context.stdout)),
      )
      if (svg === undefined) return 0
      const path = resolve(context.cwd, svg)
      const text = capacitySvg(capacity.cluster, capacity.hosts)
      await writeDurably(path, text, { mode: 0o644 }).catch(cannotWrite(path))
      context.stderr.write(`wrote ${svg}\n`)
      return 0
    })
  },
})

interface Asked {
  readonly facts: Facts
  readonly loadOf: (host: string) => HostLoadReport | null
}

function withLoads(capacity: Capacity, asked: Asked | undefined): Capacity {
  if (asked === undefined) return capacity
  return { ...capacity, hosts: capacity.hosts.map((host) => ({ ...host, load: asked.loadOf(host.name) })) }
}

async function askFacts(inventory: Inventory, lab: boolean, context: Context): Promise<Asked> {
  const { observe } = await import('../observe/observe.js')
  const { factsFrom } = await import('../desired/places.js')
  const { findLoad, loadReport } = await import('../operations/status/host-load.js')
  const { signal } = context
  return withWorld(inventory, { lab, mayStartLab: false }, context, async ({ inventory: seen, world }) => {
    const [observed, load] = await Promise.all([
      observe(seen, world, signal, { isCounting: true }),
      findLoad(world, signal),
    ])
    return { facts: factsFrom(observed), loadOf: (host) => loadReport(load, host) }
  })
}
