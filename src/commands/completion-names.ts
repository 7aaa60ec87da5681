import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findAddon } from '../addons/catalogue.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Context } from './frame/context.js'
import type { FindNames, NameKind, Proposal } from './frame/proposals.js'
import { inventoryPaths } from './inventories.js'

type Place = Pick<Context, 'cwd' | 'env'>

/** Names for completion, from the inventory and the files next to it, without network access. */
export function namesFrom(context: Place): FindNames {
  return async (kind, words) => {
    const inventories = await loadQuietly(words, context).catch(() => [])
    const found = await Promise.all(inventories.map((inventory) => namesIn(inventory, kind).catch(() => [])))
    return found.flat()
  }
}

async function loadQuietly(words: readonly string[], context: Place): Promise<Inventory[]> {
  const { loadInventories } = await import('../inventory/index.js')
  return loadInventories(await inventoryPaths(namedInventories(words), context), { env: context.env })
}

function namedInventories(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word === '-i' || word === '--inventory') return words[index + 1] ?? []
    return /^--inventory=(.+)$/.exec(word)?.[1] ?? []
  })
}

async function namesIn(inventory: Inventory, kind: NameKind): Promise<Proposal[]> {
  switch (kind) {
    case 'machine':
      return inventory.machines.map(({ name, role, pool, address }) => ({
        word: name,
        about: [role === 'controlplane' ? 'control plane' : `worker, pool ${pool}`, address].filter(Boolean).join(', '),
      }))
    case 'host':
      return hostsOf(inventory).map((word) => ({ word, about: 'Proxmox host' }))
    case 'pool':
      return poolsOf(inventory)
    case 'size':
      return poolsOf(inventory).map(({ word, about = '' }) => ({ word: sizeOf(word, about), about: `${about} now` }))
    case 'addon':
      return addonsOf(inventory)
    case 'snapshot':
      return snapshotsOf(inventory)
  }
}

function hostsOf({ settings, machines, guests }: Inventory): string[] {
  const pinned = [...machines, ...guests].flatMap(({ host }) => host ?? [])
  return [...new Set([...settings.proxmox.target_nodes, ...Object.keys(settings.pve_capacity ?? {}), ...pinned])]
}

function addonsOf({ settings }: Inventory): Proposal[] {
  return Object.keys(settings.addons).flatMap((word) =>
    findAddon(word) === undefined ? [] : [{ word, about: 'addon' }],
  )
}

function poolsOf({ machines }: Inventory): Proposal[] {
  const pools = [...new Set(machines.map(({ pool }) => pool))]
  return pools.map((word) => {
    const count = machines.filter(({ pool }) => pool === word).length
    return { word, about: `${count} ${count === 1 ? 'machine' : 'machines'}` }
  })
}

/** `workers=2`: the current size, as `scale` takes it. */
function sizeOf(pool: string, count: string): string {
  return `${pool === 'controlplane' ? 'control_planes' : pool}=${Number.parseInt(count, 10)}`
}

/** Newest first. Snapshots in S3 are not queried. */
async function snapshotsOf({ folder, settings }: Inventory): Promise<Proposal[]> {
  const { store } = settings.backup.etcd
  if (store.startsWith('s3://')) return []
  const files = await readdir(resolve(folder, store))
  return files
    .flatMap((file) => /^(.+-\d{8}T\d{6}Z-[0-9a-f]{8})\.json$/.exec(file)?.[1] ?? [])
    .filter((name) => name.startsWith(`${settings.cluster_name}-`))
    .sort()
    .reverse()
    .map((word) => ({ word, about: 'etcd snapshot' }))
}
