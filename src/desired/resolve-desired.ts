import { createHash } from 'node:crypto'
import { combineMachineNeeds } from '../addons/planned-addon.js'
import type { Machine, Role } from '../cluster/machine.js'
import { splitLabels } from '../cluster/node-labels.js'
import { ifSeen } from '../cluster/seen.js'
import { clusterTag } from '../cluster/tag.js'
import { nodePorts } from '../firewall/node-ports.js'
import { firewallPolicy } from '../firewall/policy.js'
import { protectedIn } from '../inventory/machines.js'
import type { Observed } from '../observe/observed.js'
import { refuseTakenAddresses } from '../placement/addresses.js'
import type { TalosCluster } from '../talos/config/talos-machine.js'
import { machinesAway } from './away.js'
import { backupJobOf } from './backup-job.js'
import { identityOf } from './cluster-identity.js'
import type { ClusterSpec } from './cluster-spec.js'
import { type Datastores, datastoresOf } from './datastores.js'
import type { Desired, DesiredDisk, DesiredImage, DesiredMachine, DesiredRoll } from './desired.js'
import { endpointOf, firstControlPlane } from './endpoint.js'
import { guestsToMake } from './guests.js'
import { highAvailabilityOf } from './high-availability.js'
import { hostFirewallOf } from './host-firewall.js'
import { imageFor, installerFor, withExtensions, withLockedChecksum } from './images.js'
import { maxUnavailable, surgeOfPools } from './max-unavailable.js'
import { type Place, placesOf } from './places.js'
import { type RoundVersions, roundVersions } from './round-versions.js'
import { drivesOf, seedOf } from './seed.js'
import { smbiosOf } from './smbios.js'
import { talosOf } from './talos-config.js'
import { contractOf, diskSerial, inlineManifestsOf } from './talos-machine.js'
import { templatesFor } from './templates.js'
import { vmFirewallOf } from './vm-firewall.js'
import { diskFlags, vmOptions } from './vm-options.js'

/** The spec resolved against the observed state: existing machines stay on their hosts. Pure. */
export function resolveDesired(wanted: ClusterSpec, observed: Observed): Desired {
  const versions = roundVersions(wanted, observed)
  const spec = { ...wanted, inventory: versions.inventory }
  const { settings } = spec.inventory
  const needs = combineMachineNeeds(spec.addons)
  const away = machinesAway(spec.inventory.machines, observed)
  const absent = new Set(away.map(({ machine }) => machine))
  const present = spec.inventory.machines.filter((machine) => !absent.has(machine))
  const machines = present.map((machine) => withExtensions(machine, needs.extensions, settings))
  refuseTakenAddresses(spec.inventory, newMachines(present, observed), observed.taken)
  const endpoint = endpointOf(spec.inventory, observed)
  const places = placesOf({ ...spec.inventory, machines: present }, observed)
  const images = new Map<string, DesiredImage>()
  const datastores = datastoresOf(spec.inventory, observed, spec.mayEnableContent ?? false)
  const templates = templatesFor(spec.inventory, observed, datastores)
  const installed = ifSeen(observed.kubernetes)?.addons.map(({ name }) => name) ?? []
  const inline = inlineManifestsOf(spec.addons, installed)
  // An existing VM cannot be cloned again: one without a system disk gets it from the image.
  const bare = new Set(observed.machines.filter(({ options }) => options.scsi0 === undefined).map(({ name }) => name))
  const desired = machines.map((machine) => {
    const place = places.get(machine.name) ?? { host: '', vmid: 0 }
    if (settings.talos.boot === 'template') {
      const { name, image } = templates.of(machine, place.host)
      if (!bare.has(machine.name))
        return {
          ...desiredMachine(machine, place, image, endpoint, spec, datastores, inline, versions),
          template: name,
        }
    }
    const image = imageFor(machine, place.host, spec.inventory, datastores)
    if (!images.has(image.key)) images.set(image.key, image)
    return desiredMachine(machine, place, image.key, endpoint, spec, datastores, inline, versions)
  })
  const backupJob = backupJobOf(spec.inventory, desired, observed)
  const highAvailability = highAvailabilityOf(spec.inventory, desired, observed, spec.replacing)
  const guests = guestsToMake(spec.inventory, observed, datastores)
  return {
    cluster: {
      name: settings.cluster_name,
      ...identityOf(spec),
      pool: settings.proxmox.pool,
      tags: [...new Set(['ichor', clusterTag(settings.cluster_name), ...settings.tags])].sort(),
      ...(endpoint === undefined ? {} : { endpoint }),
      talosVersion: settings.talos_version,
      kubernetesVersion: settings.kubernetes_version,
      target: {
        talos: wanted.inventory.settings.talos_version,
        kubernetes: wanted.inventory.settings.kubernetes_version,
      },
      ...(versions.hop === undefined ? {} : { hop: versions.hop }),
      ...(versions.noWay === undefined ? {} : { noWay: versions.noWay }),
      contract: contractOf(spec),
      boot: settings.talos.boot,
      delivery: settings.talos.delivery,
      fullClones: settings.talos.full_clone,
      bootstrapMachine: firstControlPlane(spec.inventory.machines)?.name ?? '',
      hasNetwork:
        settings.kubernetes.cni !== 'none' || spec.addons.some(({ name }) => name === 'cilium' || name === 'flannel'),
      ...(spec.newEtcd === undefined ? {} : { newEtcd: spec.newEtcd }),
      ...(spec.replacing === undefined ? {} : { replacing: spec.replacing }),
      ...(spec.rebooting === undefined ? {} : { rebooting: spec.rebooting }),
      ...(spec.rotating === undefined ? {} : { rotating: spec.rotating }),
      ...(spec.leaving === undefined ? {} : { leaving: spec.leaving }),
      protect: protectedIn(settings),
      roll: rollOf(settings),
      maxUnavailable: maxUnavailable(spec.inventory),
      surge: surgeOfPools(spec.inventory),
      evacuated: settings.placement.evacuate,
      ...(settings.addons.registry?.images === undefined ? {} : { imageMirror: settings.addons.registry.images }),
      ...(settings.firewall.enabled && settings.firewall.talos ? { firewallTrialMs: settings.firewall.trial } : {}),
      ...nodePortsOf(settings),
      until: spec.until,
    },
    machines: desired,
    away,
    guestsToMake: guests,
    ...(backupJob === undefined ? {} : { backupJob }),
    ...(highAvailability === undefined ? {} : { highAvailability }),
    ...vmFirewallOf(spec),
    ...hostFirewallOf(spec),
    images: [...images.values(), ...templates.images()].map((image) => withLockedChecksum(image, spec.locked)),
    templates: templates.all(),
    addons: spec.addons,
    contentToEnable: datastores.toEnable(),
  }
}

function nodePortsOf(settings: ClusterSpec['inventory']['settings']): Pick<Desired['cluster'], 'nodePorts'> {
  if (!settings.firewall.enabled) return {}
  const portsOf = (role: Role) => nodePorts(firewallPolicy(settings, role))
  return { nodePorts: { controlplane: portsOf('controlplane'), worker: portsOf('worker') } }
}

function rollOf({ roll }: ClusterSpec['inventory']['settings']): DesiredRoll {
  return {
    drainTimeoutMs: roll.drain_timeout,
    ignoresBudgets: roll.ignore_budgets,
    ...(roll.check === undefined ? {} : { check: roll.check }),
    checkTimeoutMs: roll.check_timeout,
  }
}

function desiredMachine(
  machine: Machine,
  place: Place,
  image: string,
  endpoint: string | undefined,
  spec: ClusterSpec,
  datastores: Datastores,
  inline: TalosCluster['inlineManifests'],
  versions: RoundVersions,
): DesiredMachine {
  const { settings } = spec.inventory
  const datastore = datastores.on(place.host, 'images', settings.proxmox.datastore)
  const options = { ...vmOptions(machine, settings), ...smbiosOf(machine, spec) }
  const disks = disksOf(machine, datastore, settings)
  const seed = seedOf(place.host, settings, datastores)
  return {
    ...place,
    machine,
    image,
    options,
    disks,
    ...(settings.vm.bios === 'ovmf' ? { efi: { datastore } } : {}),
    ...(settings.vm.tpm ? { tpm: { datastore } } : {}),
    seed,
    drives: drivesOf(seed, settings),
    hasAgent: settings.network.agent,
    ...(machine.address === undefined ? {} : { address: machine.address }),
    spec: createHash('sha256')
      .update(JSON.stringify([options, disks]))
      .digest('hex')
      .slice(0, 12),
    installer: installerFor(machine, settings),
    ...talosAt(machine, endpoint, spec, inline, versions),
    node: {
      labels: { ...splitLabels(machine.labels).restricted, ...topologyLabels(place.host, spec) },
      taints: machine.taints,
    },
  }
}

/** A machine with a config keeps its Kubernetes images until their own steps; a new one gets the running versions. */
function talosAt(
  machine: Machine,
  endpoint: string | undefined,
  spec: ClusterSpec,
  inline: TalosCluster['inlineManifests'],
  { keptImages, forNewMachines, hop }: RoundVersions,
): Pick<DesiredMachine, 'talos'> {
  const kept = keptImages(machine.name)
  if (hop?.kind !== 'kubernetes' || kept !== undefined) return talosOf(machine, endpoint, spec, inline, kept)
  return talosOf(machine, endpoint, { ...spec, inventory: forNewMachines }, inline)
}

/** Region and zone (the Proxmox host), if an addon needs them and no cloud controller sets them. */
function topologyLabels(host: string, { inventory, addons }: ClusterSpec): Record<string, string> {
  if (!combineMachineNeeds(addons).topologyLabels) return {}
  return { 'topology.kubernetes.io/region': inventory.settings.proxmox.region, 'topology.kubernetes.io/zone': host }
}

/** VMs that may be these machines respond on their addresses: the plan explains what is wrong with them. */
function newMachines(machines: readonly Machine[], observed: Observed): Machine[] {
  const isOurs = new Set(['no-secrets', 'mark-lost', 'other-pool', 'copy'])
  const isHeld = ({ because, holds }: Observed['unverified'][number]) =>
    isOurs.has(because) || (because === 'other-cluster' && holds !== undefined)
  if (observed.unverified.some(isHeld)) return []
  const seen = new Set(observed.machines.map(({ name }) => name))
  return machines.filter(({ name }) => !seen.has(name))
}

function disksOf(machine: Machine, datastore: string, { vm }: ClusterSpec['inventory']['settings']): DesiredDisk[] {
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
