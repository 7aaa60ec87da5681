import { resolveDesired } from '../../src/desired/resolve-desired.js'
import { loadPatches } from '../../src/inventory/patches.js'
import type { VmOptions } from '../../src/proxmox/client/port.js'
import { optionText } from '../../src/proxmox/model/option-text.js'
import { parseSmbios } from '../../src/proxmox/model/options/smbios.js'
import { generateBundle } from '../../src/secrets/generate.js'
import { clientCertificate } from '../../src/talos/clientconfig/client-certificate.js'
import { missingParts } from '../../src/vm/machine-parts.js'
import type { OwnedVm } from '../../src/vm/owned-vm.js'
import { inventoryOf } from '../support/inventories.js'
import { aStub } from '../support/stub.js'
import { aWorld } from '../support/worlds.js'

/** Where the guest finds the registry of the test; QEMU forwards it. */
export const registryAddress = '10.5.0.100'
export const registryPort = 5000

/** The volume that ichor asks Talos to make on the second disk. */
export const volume = 'data'
export const dataDiskGiB = 3

export type Subject = Awaited<ReturnType<typeof aSubject>>

/** The inventory of a cluster of one control plane with a data disk, in the network of `forwardedNetwork`. */
export function realInventory(talos: object = {}) {
  return {
    cluster_name: 'real',
    talos_version: 'v1.13.9',
    kubernetes_version: 'v1.36.3',
    control_plane_count: 1,
    worker_count: 0,
    network: { cidr: '10.5.0.0/24', gateway: '10.5.0.2', control_plane_offset: 10, dns: [registryAddress] },
    sizing: { control_plane: { cpu: 2, ram: '3G', disk: '12G', disks: [{ size: `${dataDiskGiB}G`, volume }] } },
    proxmox: { target_nodes: ['pve1'], datastore: 'local-lvm' },
    talos: {
      discovery: false,
      registries: [{ host: '*', mirrors: [`http://${registryAddress}:${registryPort}`], skip_fallback: true }],
      // There is no time server where nothing leads outside.
      patches: { cluster: [{ machine: { time: { disabled: true } } }] },
      ...talos,
    },
  }
}

/** What ichor would give Proxmox for it, and what it talks to the node with. */
export async function aSubject(talos: object = {}) {
  const inventory = await inventoryOf(realInventory(talos))
  const bundle = await generateBundle('v1.13')
  const secrets = { bundle, memory: { bootstrapped: false, sealed: true, values: {} } }
  const patches = await loadPatches(inventory)
  const desired = resolveDesired(
    { inventory, secrets, patches, addons: [], intent: {}, until: 'healthy' },
    aWorld(['pve1']),
  )
  const [wanted] = desired.machines
  if (wanted?.talos === undefined || wanted.address === undefined) throw new Error('The inventory gives no machine.')
  const isSeeded = desired.cluster.delivery === 'cidata'
  const empty = aStub<OwnedVm>({ mark: { more: Object.create(null) }, config: { options: Object.create(null) } })
  const options: VmOptions = {
    ...wanted.options,
    ...missingParts(wanted, empty, desired, isSeeded ? 'local:import/seed.raw' : undefined),
  }
  /** As Proxmox would show them. */
  const shown = Object.fromEntries(Object.entries(options).map(([key, value]) => [key, optionText(value)]))
  return {
    machine: wanted.machine,
    address: wanted.address,
    config: wanted.talos.config,
    seed: isSeeded ? wanted.talos.seedIso() : undefined,
    options: shown,
    /** That the VM shows to Talos; empty if it has none. */
    serial: parseSmbios(shown.smbios1 ?? '').serial ?? '',
    credentials: await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours: 24, now: new Date() }),
  }
}
