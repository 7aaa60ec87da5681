import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import {
  type CapacityRow,
  capacityTable,
  type Facts,
  factsOf,
  place,
  type Refit,
  refitWithout,
  surviveWithout,
} from '../placement/index.js'
import { capacitySvg } from '../render/capacity-svg.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import { cannotWrite } from './cannot-write.js'
import { type Capacity, capacityReport, capacityText } from './capacity-report.js'
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
      const facts = live || lab ? await askFacts(one, lab, context) : undefined
      const capacity = capacityOf(one, facts, lose)
      context.stdout.write(
        json
          ? `${JSON.stringify(capacityReport(capacity))}\n`
          : capacityText(capacity, textStyle(context.stdout, context.env), widthOf(context.stdout)),
      )
      if (svg === undefined) return 0
      const path = resolve(context.cwd, svg)
      await writeFile(path, capacitySvg(capacity.cluster, capacity.hosts)).catch(cannotWrite(path))
      context.stderr.write(`wrote ${svg}\n`)
      return 0
    })
  },
})

function capacityOf(inventory: Inventory, live: Facts | undefined, lose: string | undefined): Capacity {
  const facts = live ?? factsOf(inventory)
  const cluster = inventory.settings.cluster_name
  if (facts.hosts.length === 0 && lose === undefined) return { cluster, hosts: [], asked: askedBy(inventory) }
  const { hostOf, capacities } = place(inventory, facts)
  const offline = new Set(facts.hosts.filter(({ online }) => !online).map(({ name }) => name))
  const hosts =
    live === undefined ? capacityTable(inventory) : capacities.map((row) => known(withStorages(row, facts), offline))
  const asked = askedBy(inventory)
  if (lose === undefined) return { cluster, hosts, asked }
  if (!hosts.some(({ name }) => name === lose)) throw unknownHost(lose, inventory, hosts)
  const areSizesKnown = live !== undefined || inventory.settings.pve_capacity !== undefined
  const refit = areSizesKnown ? refitWithout(inventory, facts, hostOf, lose) : unknownRefit
  return { cluster, hosts, asked, loss: { ...surviveWithout(inventory, hostOf, lose, offline), refit } }
}

const unknownRefit: Refit = {
  fits: null,
  reason:
    'the inventory does not contain the size of the hosts; set pve_capacity, or use --live to read it from Proxmox',
}

/** What the machines of the inventory need, on any host. */
function askedBy({ machines }: Inventory): Capacity['asked'] {
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    machines: machines.length,
    cpu: sum(machines.map(({ cpu }) => cpu)),
    memory: sum(machines.map(({ memory }) => memory)),
    disk: sum(machines.map(({ disk, disks }) => disk + sum(disks.map(({ size }) => size)))),
  }
}

/** Storages that hold disks. */
function withStorages(row: CapacityRow, { hosts }: Facts): CapacityRow {
  const own = hosts.find(({ name }) => name === row.name)?.storages ?? []
  const storages = own
    .filter(({ content }) => content.includes('images'))
    .map(({ id, total, free }) => ({ name: id, total, free, used: total - free }))
  return { ...row, storages }
}

function known(row: CapacityRow, offline: ReadonlySet<string>): CapacityRow {
  if (!offline.has(row.name)) return row
  return { ...row, isOffline: true, cpu: { used: row.cpu.used }, memory: { used: row.memory.used } }
}

function unknownHost(name: string, { file }: Inventory, hosts: Capacity['hosts']): UsageError {
  return new UsageError(`There is no host ${name}.`, {
    where: file,
    fix:
      hosts.length === 0
        ? 'The inventory lists no hosts: use --live to read it from Proxmox.'
        : `Name one of ${hosts.map((host) => host.name).join(', ')}.`,
  })
}

async function askFacts(inventory: Inventory, lab: boolean, context: Context): Promise<Facts> {
  const { observe } = await import('../observe/observe.js')
  const { factsFrom } = await import('../desired/places.js')
  return withWorld(inventory, { lab, mayStartLab: false }, context, async ({ inventory: seen, world }) =>
    factsFrom(await observe(seen, world, context.signal, { isCounting: true })),
  )
}
