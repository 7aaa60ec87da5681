import { createHash } from 'node:crypto'
import { combineMachineNeeds } from '../addons/planned-addon.js'
import { clusterMarkId } from '../cluster/identity.js'
import type { Machine, VmRef } from '../cluster/machine.js'
import { clusterTag } from '../cluster/tag.js'
import type { Observed } from '../observe/observed.js'
import { refuseTakenAddresses } from '../placement/addresses.js'
import type { TalosCluster } from '../talos/config/talos-machine.js'
import { machinesAway } from './away.js'
import { type Datastores, datastoresOf } from './datastores.js'
import type { Desired, DesiredDisk, DesiredImage, DesiredMachine } from './desired.js'
import { endpointOf, firstControlPlane } from './endpoint.js'
import { guestsToMake } from './guests.js'
import { imageFor } from './images.js'
import { maxUnavailable } from './max-unavailable.js'
import { placesOf } from './places.js'
import { talosOf } from './talos-config.js'
import { contractOf, diskSerial, inlineManifestsOf, splitLabels } from './talos-machine.js'
import { templatesFor } from './templates.js'
import { diskFlags, vmOptions } from './vm-options.js'
import type { Wish } from './wish.js'

/** The wish worked out on what is there: machines that exist stay where they are. Pure. */
export function desire(wish: Wish, observed: Observed): Desired {
  const { settings } = wish.inventory
  const needs = combineMachineNeeds(wish.addons)
  const away = machinesAway(wish.inventory.machines, observed)
  const present = wish.inventory.machines.filter((machine) => !away.some((one) => one.machine === machine))
  const machines = present.map((machine) => withExtensions(machine, needs.extensions, settings))
  refuseTakenAddresses(wish.inventory, newMachines(present, observed), observed.taken)
  const endpoint = endpointOf(wish.inventory, observed)
  const places = placesOf({ ...wish.inventory, machines: present }, observed)
  const images = new Map<string, DesiredImage>()
  const datastores = datastoresOf(wish.inventory, observed, wish.mayEnableContent ?? false)
  const templates = templatesFor(wish.inventory, observed, datastores)
  const installed = observed.kubernetes?.addons.map(({ name }) => name) ?? []
  const inline = inlineManifestsOf(wish.addons, installed)
  // A VM that is there cannot be cloned again: one without a system disk gets it from the image.
  const bare = new Set(observed.machines.filter(({ options }) => options.scsi0 === undefined).map(({ name }) => name))
  const desired = machines.map((machine) => {
    const place = places.get(machine.name) ?? { host: '', vmid: 0 }
    if (settings.talos.boot === 'template') {
      const { name, image } = templates.of(machine, place.host)
      if (!bare.has(machine.name))
        return { ...desiredMachine(machine, place, image, endpoint, wish, datastores, inline), template: name }
    }
    const image = imageFor(machine, place.host, wish.inventory, datastores)
    if (!images.has(image.key)) images.set(image.key, image)
    return desiredMachine(machine, place, image.key, endpoint, wish, datastores, inline)
  })
  const guests = guestsToMake(wish.inventory, observed, datastores)
  return {
    cluster: {
      name: settings.cluster_name,
      ...(wish.secrets === undefined ? {} : { id: clusterMarkId(wish.secrets.bundle.cluster.id) }),
      pool: settings.proxmox.pool,
      tags: [...new Set(['ichor', clusterTag(settings.cluster_name), ...settings.tags])].sort(),
      ...(endpoint === undefined ? {} : { endpoint }),
      talosVersion: settings.talos_version,
      kubernetesVersion: settings.kubernetes_version,
      contract: contractOf(wish),
      boot: settings.talos.boot,
      delivery: settings.talos.delivery,
      fullClones: settings.talos.full_clone,
      bootstrapMachine: firstControlPlane(wish.inventory.machines)?.name ?? '',
      hasNetwork:
        settings.kubernetes.cni !== 'none' || wish.addons.some(({ name }) => name === 'cilium' || name === 'flannel'),
      ...(wish.newEtcd === undefined ? {} : { newEtcd: wish.newEtcd }),
      protect: settings.protect,
      maxUnavailable: maxUnavailable(wish.inventory),
      ...(settings.addons.registry?.images === undefined ? {} : { imageMirror: settings.addons.registry.images }),
      until: wish.until,
    },
    machines: desired,
    away,
    guestsToMake: guests,
    images: [...images.values(), ...templates.images()],
    templates: templates.all(),
    addons: wish.addons,
    contentToEnable: datastores.toEnable(),
  }
}

function desiredMachine(
  machine: Machine,
  place: VmRef,
  image: string,
  endpoint: string | undefined,
  wish: Wish,
  datastores: Datastores,
  inline: TalosCluster['inlineManifests'],
): DesiredMachine {
  const { settings } = wish.inventory
  const datastore = datastores.on(place.host, 'images', settings.proxmox.datastore)
  const options = vmOptions(machine, settings)
  const disks = disksOf(machine, datastore, settings)
  const seedDatastore = datastores.on(place.host, 'iso', settings.proxmox.seed_datastore)
  return {
    ...place,
    machine,
    image,
    options,
    disks,
    ...(settings.vm.bios === 'ovmf' ? { efi: { datastore } } : {}),
    ...(settings.vm.tpm ? { tpm: { datastore } } : {}),
    seedDatastore,
    hasAgent: settings.network.agent,
    ...(machine.address === undefined ? {} : { address: machine.address }),
    spec: createHash('sha256')
      .update(JSON.stringify([options, disks]))
      .digest('hex')
      .slice(0, 12),
    ...talosOf(machine, endpoint, wish, inline),
    node: {
      labels: { ...splitLabels(machine.labels).restricted, ...topologyLabels(place.host, wish) },
      taints: machine.taints,
    },
  }
}

/** Addons may need extensions that nobody asked for by name; a ready schematic is taken as it is. */
function withExtensions(
  machine: Machine,
  extensions: readonly string[],
  { talos }: Wish['inventory']['settings'],
): Machine {
  if (extensions.length === 0 || talos.schematic !== undefined) return machine
  return { ...machine, extensions: [...new Set([...machine.extensions, ...extensions])].sort() }
}

/** Region and zone (the Proxmox host), where an addon needs them and no cloud controller sets them. */
function topologyLabels(host: string, { inventory, addons }: Wish): Record<string, string> {
  if (!combineMachineNeeds(addons).topologyLabels) return {}
  return { 'topology.kubernetes.io/region': inventory.settings.proxmox.region, 'topology.kubernetes.io/zone': host }
}

/** VMs that may be these machines answer on their addresses: what is wrong with those is for the plan to say. */
function newMachines(machines: readonly Machine[], observed: Observed): Machine[] {
  if (observed.suspects.some(({ because }) => because === 'no-secrets' || because === 'mark-lost')) return []
  const seen = new Set(observed.machines.map(({ name }) => name))
  return machines.filter(({ name }) => !seen.has(name))
}

function disksOf(machine: Machine, datastore: string, { vm }: Wish['inventory']['settings']): DesiredDisk[] {
  const flags = diskFlags(vm)
  const extra = machine.disks.map(
    (disk, index): DesiredDisk => ({
      slot: `scsi${index + 1}`,
      datastore: disk.datastore ?? datastore,
      size: disk.size,
      serial: diskSerial(index + 1),
      flags,
    }),
  )
  return [{ slot: 'scsi0', datastore, size: machine.disk, flags }, ...extra]
}
