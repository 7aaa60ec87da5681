import { z } from 'zod'
import { addons } from './schema/addons.js'
import { controlPlaneNodes, guests, sizing, workerNodes, workerPool } from './schema/machines.js'
import { networkSettings } from './schema/network.js'
import {
  advisories,
  backup,
  clientFiles,
  drill,
  firewall,
  observability,
  protect,
  roll,
  tags,
  watch,
} from './schema/operations.js'
import { placement, proxmox, pveCapacity, reserve, vm, vmIds } from './schema/proxmox.js'
import { kubernetes, talos } from './schema/talos.js'
import { clusterName, count, machineName, textOf, version } from './schema/values.js'
import { settle } from './settle.js'

/** Nodes by name: all of nodes.yaml, and keys of cluster.yaml too. */
const nodes = { controlplane: controlPlaneNodes, workers: workerNodes }

/** Of a new inventory: the newest release that this version of ichor was tested with. */
export const defaultTalos = 'v1.13.9'

/** The keys of nodes.yaml. */
export const nodesSchema = z.strictObject(nodes)

/**
 * The inventory: validation, types, defaults, the JSON Schema and the reference page are derived from this. Parts that most inventories
 * leave out are `lazy`: they are built only if they are used, so that a command starts sooner.
 */
export const documentSchema = z.strictObject({
  cluster_name: clusterName.describe('Name of the cluster.'),
  environment: z.string().min(1).exactOptional().describe('Name of the environment. Default: the name of the folder.'),
  talos_version: version.prefault(defaultTalos).describe('Talos version.'),
  kubernetes_version: version
    .meta({ examples: ['v1.36.3'] })
    .exactOptional()
    .describe('Kubernetes version. Default: the one that this Talos ships.'),
  secrets: textOf('a home for the secrets', 'sops, plain or vault://mount/path', (text) =>
    /^(sops|plain|vault:\/\/\S+\/\S+)$/.test(text),
  )
    .default('sops')
    .describe(
      'Where the secrets of the cluster live: `sops` (encrypted beside the inventory), `plain`, or `vault://mount/path`.',
    ),
  allow_http: z
    .array(z.string().min(1))
    .default([])
    .describe('Hosts of images, charts, manifests, snapshots and `roll.checks` that may be used without TLS.'),
  ha_enabled: z
    .boolean()
    .default(false)
    .describe('The cluster must survive the loss of a control plane: an odd number of at least three.'),
  control_plane_count: count
    .min(1)
    .exactOptional()
    .describe('How many control planes. Default: as many as are named; else 3 with `ha_enabled` and 1 without.'),
  worker_count: count
    .exactOptional()
    .describe('How many workers outside of pools; 0 is fine. Default: as many as are named.'),
  retired: z
    .array(machineName)
    .default([])
    .describe('Counted machines that are left out, and whose number stays free: `ichor scale` writes them here.'),
  unmanaged_nodes: z
    .array(z.string().min(1).max(253))
    .default([])
    .describe(
      'Nodes of the cluster that ichor does not manage: they are never called lost, nor removed from etcd. Written by `ichor adopt`.',
    ),
  endpoint_override: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Name, address or URL of a load balancer in front of the control planes.'),
  sizing,
  worker_pools: z.array(workerPool).default([]).describe('Workers of several kinds.'),
  ...nodes,
  proxmox,
  pve_capacity: pveCapacity,
  reserve,
  placement,
  network: networkSettings,
  vm_ids: vmIds,
  vm,
  talos,
  kubernetes,
  guests,
  addons,
  firewall,
  backup,
  drill,
  roll,
  watch,
  observability,
  client_files: clientFiles,
  tags,
  protect,
  advisories: advisories.exactOptional(),
})

/** The inventory as written, with the defaults of single keys. */
export type Document = z.output<typeof documentSchema>

/** The document with defaults that depend on several keys. */
export const inventorySchema = documentSchema.transform(settle)

/** The complete settings: every default applied, sizes in bytes, secrets still as references. */
export type Settings = z.output<typeof inventorySchema>
