import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Dice } from './dice.js'

/** What a random inventory says: few enough choices that each of them meets every other. */
export interface Shape {
  readonly hosts: number
  readonly controlPlanes: number
  readonly workers: number
  /** Members of a pool beside the plain workers; no pool without. */
  readonly pool?: number
  readonly boot: 'image' | 'iso' | 'template'
  readonly delivery?: 'cidata' | 'apply'
  readonly network: 'static' | 'vip' | 'dhcp'
  readonly addons: readonly string[]
  /** GiB of a data disk on every worker. */
  readonly dataDisk?: number
  /** GiB. */
  readonly memory: number
  /** GiB. */
  readonly disk: number
  /** How often the config was patched by hand. */
  readonly patch?: number
  readonly tags?: readonly string[]
  readonly pve: 8 | 9
  /** What its configs were made for first, which decides what keys can be rotated. */
  readonly contract: 'v1.13' | 'v1.14'
  /** cluster.yaml and the secrets are symbolic links. */
  readonly isLinked?: true
  /** The pool is one that somebody made. */
  readonly isPoolGiven?: true
  /** Only the network of the cluster and the operator's may talk to the nodes. */
  readonly firewall?: boolean | undefined
  /** An older release than ichor's own, until an edit takes it out. */
  readonly talos?: string | undefined
  readonly kubernetes?: string | undefined
  /** The number of the host that machines are to leave. */
  readonly evacuated?: number | undefined
  /** Counted machines that `scale` took out, whose numbers stay free. */
  readonly retired?: readonly string[]
}

/** What an edit changes; `undefined` takes something out. */
export type Edit = Partial<Shape>

export const clusterName = 'dev'
export const poolName = 'extra'
/** Somebody has made it, perhaps with rights of their own. */
export const givenPool = 'team'
/** The machine that a snapshot is tried on. */
export const drillName = `${clusterName}-drill-1`
/** Snapshots of etcd are sealed for it; made for these tests, it opens nothing else. */
const recipient = 'age1s3nz3ukuea94vev69mvzxyqmpsdzvj4dfuy5l947z65zquva6gxqfe0pet'
export const ageKey = 'AGE-SECRET-KEY-13KN08LZKMG9GNVHMHMF22D8ZQJ8HN6Y76AZQXL4X2FMGDSFEQH5QUUGQR7'
/** What a cluster of a contract is upgraded from, and to. */
export const versions = {
  'v1.13': {
    older: { talos: 'v1.13.5', kubernetes: 'v1.35.4' },
    newest: { talos: 'v1.13.9', kubernetes: 'v1.36.3' },
  },
  'v1.14': {
    older: { talos: 'v1.14.0', kubernetes: 'v1.36.3' },
    newest: { talos: 'v1.14.1', kubernetes: 'v1.37.0' },
  },
} as const
/** No edit goes beyond it. */
export const most = { controlPlanes: 3, workers: 3, pool: 2 }

export function randomShape(dice: Dice): Shape {
  const network = dice.weighted([
    [6, 'static'],
    [2, 'vip'],
    [2, 'dhcp'],
  ] as const)
  const boot = dice.weighted([
    [7, 'image'],
    [2, 'template'],
    [2, 'iso'],
  ] as const)
  const contract = dice.chance(0.25) ? 'v1.14' : 'v1.13'
  const { older, newest } = versions[contract]
  // An inventory that says nothing means Talos 1.13.
  const latest = contract === 'v1.13' ? {} : { talos: newest.talos }
  return {
    hosts: dice.between(1, 3),
    controlPlanes: dice.pick([1, 3, 3]),
    workers: dice.between(0, 2),
    ...(dice.chance(0.15) ? { pool: dice.between(0, 1) } : {}),
    boot,
    ...(dice.chance(0.2) && network !== 'dhcp' ? { delivery: 'apply' as const } : {}),
    network,
    addons: dice.chance(0.2) ? [dice.pick(['cilium', 'metrics_server', 'cert_manager'])] : [],
    ...(dice.chance(0.15) ? { dataDisk: 10 } : {}),
    memory: 4,
    disk: 20,
    pve: boot === 'image' && dice.chance(0.2) ? 8 : 9,
    contract,
    ...(dice.chance(0.15) ? { isPoolGiven: true as const } : {}),
    ...(dice.chance(0.15) ? { isLinked: true as const } : {}),
    ...(dice.chance(0.25) ? { talos: older.talos } : latest),
    ...(dice.chance(0.25) ? { kubernetes: older.kubernetes } : {}),
  }
}

/** Its cluster.yaml. */
export function inventoryText(shape: Shape): string {
  const size = { cpu: 2, ram: `${shape.memory}GiB`, disk: `${shape.disk}G` }
  const disks = shape.dataDisk === undefined ? {} : { disks: [`${shape.dataDisk}G`] }
  return stringify({
    cluster_name: clusterName,
    secrets: 'plain',
    backup: { etcd: { recipients: [recipient] } },
    drill: { bridge: 'vmbr9', address: '10.99.0.10', mirror: 'http://10.99.0.2:5000' },
    ...(shape.talos === undefined ? {} : { talos_version: shape.talos }),
    ...(shape.kubernetes === undefined ? {} : { kubernetes_version: shape.kubernetes }),
    ...(shape.evacuated === undefined ? {} : { placement: { evacuate: [`pve${shape.evacuated}`] } }),
    control_plane_count: shape.controlPlanes,
    worker_count: shape.workers,
    ...(shape.retired === undefined ? {} : { retired: shape.retired }),
    network: networkOf(shape),
    proxmox: {
      datastore: 'local-lvm',
      target_nodes: hostNames(shape),
      ...(shape.isPoolGiven ? { pool: givenPool } : {}),
    },
    sizing: { control_plane: size, worker: { ...size, ...disks } },
    ...(shape.pool === undefined ? {} : { worker_pools: [{ name: poolName, count: shape.pool, offset: 40 }] }),
    ...(shape.tags === undefined ? {} : { tags: shape.tags }),
    talos: {
      boot: shape.boot,
      ...(shape.delivery === undefined ? {} : { delivery: shape.delivery }),
      ...(shape.patch === undefined ? {} : { patches: { cluster: [patchOf(shape.patch)] } }),
    },
    ...(shape.firewall === undefined ? {} : { firewall: firewallOf(shape.firewall) }),
    ...(shape.addons.length === 0 ? {} : { addons: Object.fromEntries(shape.addons.map((name) => [name, true])) }),
  })
}

/** What a verb wrote into the inventory of this folder. */
export async function readEdits(folder: string): Promise<Edit> {
  const { control_plane_count, worker_count, worker_pools, retired, talos_version, kubernetes_version, placement } =
    parse(await readFile(join(folder, 'cluster.yaml'), 'utf8')) as {
      control_plane_count: number
      worker_count: number
      worker_pools?: { count: number }[]
      retired?: string[]
      talos_version?: string
      kubernetes_version?: string
      placement?: { evacuate?: string[] }
    }
  const [host] = placement?.evacuate ?? []
  return {
    controlPlanes: control_plane_count,
    workers: worker_count,
    ...(worker_pools?.[0] === undefined ? {} : { pool: worker_pools[0].count }),
    ...(retired === undefined ? {} : { retired }),
    talos: talos_version,
    kubernetes: kubernetes_version,
    evacuated: host === undefined ? undefined : Number(host.slice('pve'.length)),
  }
}

function hostNames({ hosts }: Pick<Shape, 'hosts'>): string[] {
  return Array.from({ length: hosts }, (_, index) => `pve${index + 1}`)
}

/** The names that its machines have. */
export function machineNames({ controlPlanes, workers, pool = 0, retired = [] }: Shape): string[] {
  const named = (kind: string, count: number) =>
    Array.from({ length: count + retired.length }, (_, index) => `${clusterName}-${kind}-${index + 1}`)
      .filter((name) => !retired.includes(name))
      .slice(0, count)
  return [...named('cp', controlPlanes), ...named('wk', workers), ...named(poolName, pool)]
}

function networkOf({ network }: Shape): object {
  if (network === 'dhcp') return { mode: 'dhcp' }
  const plain = { cidr: '10.0.10.0/24', gateway: '10.0.10.254' }
  return network === 'vip' ? { ...plain, vip: '10.0.10.5' } : plain
}

/** The computer of the operators, as the nodes see it. */
export const operatorAddress = '10.99.0.7'

/** A trial takes minutes of the lab, which are seconds here. */
function firewallOf(enabled: boolean): object {
  return { enabled, admin_networks: ['10.99.0.0/24'], trial: '10m' }
}

function patchOf(times: number): object {
  return { machine: { sysctls: { 'net.core.somaxconn': String(4096 + times) } } }
}
