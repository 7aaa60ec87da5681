import { createHash } from 'node:crypto'
import { combineMachineNeeds } from '../addons/planned-addon.js'
import { hostFirewallOf } from '../capabilities/firewall/hosts/desired-host-firewall.js'
import { nodePorts } from '../capabilities/firewall/policy/node-ports.js'
import { firewallPolicy } from '../capabilities/firewall/policy/policy.js'
import { vmFirewallOf } from '../capabilities/firewall/vm/desired-vm-firewall.js'
import { highAvailabilityOf } from '../capabilities/high-availability/desired-high-availability.js'
import type { Machine, Role } from '../cluster/machine.js'
import { splitLabels } from '../cluster/node-labels.js'
import { imageLacksKeys } from '../cluster/secure-boot.js'
import { ifSeen } from '../cluster/seen.js'
import { clusterTag } from '../cluster/tag.js'
import { type CollectedRefusals, collectRefusals } from '../findings/refusals/collect-refusals.js'
import { protectedIn } from '../inventory/machines.js'
import type { Observed } from '../observe/observed.js'
import { refuseTakenAddresses } from '../placement/addresses.js'
import type { TalosCluster } from '../talos/config/talos-machine.js'
import { machinesAway } from './away.js'
import { backupJobOf } from './backup-job.js'
import { identityOf } from './cluster-identity.js'
import type { ClusterSpec } from './cluster-spec.js'
import { diskSerial } from './data-disks.js'
import { type Datastores, datastoresOf } from './datastores.js'
import type { Desired, DesiredDisk, DesiredImage, DesiredMachine, DesiredRoll, RollCheck } from './desired.js'
import { endpointOf, firstControlPlane } from './endpoint.js'
import { guestsToMake } from './guests.js'
import { imageFor, installerFor, withExtensions, withLockedChecksum } from './images.js'
import { withKeptStartup } from './kept-startup.js'
import { machineType } from './machine-type.js'
import { maxUnavailable, surgeOfPools } from './max-unavailable.js'
import { type Place, placesOf } from './places.js'
import { type RoundVersions, roundVersions } from './round-versions.js'
import { drivesOf, seedOf } from './seed.js'
import { smbiosOf } from './smbios.js'
import { snapshotsOf } from './snapshots.js'
import { configInputsOf, talosOf } from './talos-config.js'
import { contractOf, inlineManifestsOf } from './talos-machine.js'
import { templatesFor } from './templates.js'
import { diskFlags, vmOptions } from './vm-options.js'

type Settings = ClusterSpec['inventory']['settings']

/**
 * The spec resolved against the observed state: existing machines stay on their hosts. Pure. What does not fit is refused,
 * all of it together, and with what `judge` refuses of the rest.
 */
export function resolveDesired(
  wanted: ClusterSpec,
  observed: Observed,
  judge: (desired: Desired) => void = () => undefined,
): Desired {
  const refusals = collectRefusals()
  const desired = resolveParts(wanted, observed, refusals)
  if (refusals.hasAny()) refusals.attempt(() => judge(desired), undefined)
  return refusals.finish(() => desired)
}

function resolveParts(wanted: ClusterSpec, observed: Observed, refusals: CollectedRefusals): Desired {
  const versions = roundVersions(wanted, observed)
  const spec = { ...wanted, inventory: versions.inventory }
  const { settings } = spec.inventory
  const needs = combineMachineNeeds(spec.addons)
  const away = machinesAway(spec.inventory.machines, observed)
  const absent = new Set(away.map(({ machine }) => machine))
  const present = spec.inventory.machines.filter((machine) => !absent.has(machine))
  const machines = present.map((machine) => withExtensions(machine, needs.extensions, settings))
  refusals.attempt(
    () => refuseTakenAddresses(spec.inventory, newMachines(present, observed), observed.taken),
    undefined,
  )
  const endpoint = endpointOf(spec.inventory, observed)
  const places = placesOf({ ...spec.inventory, machines: present }, observed, refusals)
  const images = new Map<string, DesiredImage>()
  const datastores = datastoresOf(spec.inventory, observed, spec.mayEnableContent ?? false, refusals)
  const templates = templatesFor(spec.inventory, observed, datastores)
  const installed = ifSeen(observed.kubernetes)?.addons.map(({ name }) => name) ?? []
  const inline = inlineManifestsOf(spec.addons, installed)
  // An existing VM cannot be cloned again: one without a system disk gets it from the image.
  const bare = new Set(observed.machines.filter(({ options }) => options.scsi0 === undefined).map(({ name }) => name))
  const context = { endpoint, spec, datastores, inline, versions, refusals }
  const desired = machines.map((machine) => {
    const place = places.get(machine.name) ?? { host: '', vmid: 0 }
    if (settings.talos.boot === 'template') {
      const { name, image } = templates.of(machine, place.host)
      if (!bare.has(machine.name))
        return {
          ...desiredMachine(machine, place, image, context),
          template: name,
        }
    }
    const image = imageFor(machine, place.host, spec.inventory, datastores)
    if (!images.has(image.key)) images.set(image.key, image)
    return desiredMachine(machine, place, image.key, context)
  })
  const backupJob = backupJobOf(spec.inventory, desired, observed)
  const highAvailability = highAvailabilityOf(spec.inventory, desired, observed, spec.intent.replacing)
  const guests = guestsToMake(spec.inventory, observed, datastores)
  const resolved: Desired = {
    cluster: {
      name: settings.cluster_name,
      ...identityOf(spec),
      pool: settings.proxmox.pool,
      tags: [...new Set(['ichor', clusterTag(settings.cluster_name), ...settings.tags])].sort(),
      ...(endpoint === undefined ? {} : { endpoint }),
      talosVersion: settings.talos_version,
      kubernetesVersion: settings.kubernetes_version,
      controlPlanesTakePods: settings.kubernetes.schedule_on_control_planes,
      target: {
        talos: wanted.inventory.settings.talos_version,
        kubernetes: wanted.inventory.settings.kubernetes_version,
      },
      ...(versions.hop === undefined ? {} : { hop: versions.hop }),
      ...(versions.noWay === undefined ? {} : { noWay: versions.noWay }),
      contract: contractOf(spec),
      secretsHome: settings.secrets,
      boot: settings.talos.boot,
      ...(imageLacksKeys(settings) ? { imageLacksKeys: true } : {}),
      delivery: settings.talos.delivery,
      fullClones: settings.talos.full_clone,
      bootstrapMachine: firstControlPlane(spec.inventory.machines)?.name ?? '',
      hasNetwork:
        settings.kubernetes.cni !== 'none' || spec.addons.some(({ name }) => name === 'cilium' || name === 'flannel'),
      intent: spec.intent,
      protect: protectedIn(settings),
      roll: rollOf(settings),
      snapshots: snapshotsOf(spec),
      maxUnavailable: maxUnavailable(spec.inventory),
      surge: surgeOfPools(spec.inventory),
      evacuated: settings.placement.evacuate,
      ...(settings.addons.registry?.images === undefined ? {} : { imageMirror: settings.addons.registry.images }),
      ...(settings.firewall.enabled && settings.firewall.talos ? { firewallTrialMs: settings.firewall.trial } : {}),
      ...nodePortsOf(settings),
      ...(settings.unmanaged_nodes.length === 0 ? {} : { unmanaged: settings.unmanaged_nodes }),
      until: spec.until,
    },
    machines: desired,
    away,
    offlineHosts: offlineHosts(settings, observed),
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
  return observed.proxmox.mayAdminister === false ? withKeptStartup(resolved, observed) : resolved
}

function offlineHosts({ proxmox: { target_nodes: named } }: Settings, { proxmox }: Observed): string[] {
  const offline = proxmox.hosts.filter(({ online, name }) => !online && (named.length === 0 || named.includes(name)))
  return offline.map(({ name }) => name)
}

function nodePortsOf(settings: Settings): Pick<Desired['cluster'], 'nodePorts' | 'nodeNetworks'> {
  if (!settings.firewall.enabled) return {}
  const portsOf = (role: Role) => nodePorts(firewallPolicy(settings, role))
  const { nodes: nodeNetworks } = firewallPolicy(settings, 'worker')
  return { nodePorts: { controlplane: portsOf('controlplane'), worker: portsOf('worker') }, nodeNetworks }
}

function rollOf({ roll }: Settings): DesiredRoll {
  return {
    drainTimeoutMs: roll.drain_timeout,
    ignoresBudgets: roll.ignore_budgets,
    checks: [...(roll.check === undefined ? [] : [roll.check]), ...roll.checks].map(rollCheckOf),
    hooks: { before: roll.before, after: roll.after },
    checkTimeoutMs: roll.check_timeout,
  }
}

function rollCheckOf(check: Settings['roll']['checks'][number]): RollCheck {
  if (!('object' in check)) return check
  const { api_version: apiVersion, ...object } = check.object
  return { object: { apiVersion, ...object }, path: check.path, equals: [check.equals].flat() }
}

/** What all machines have in common. */
interface MachineContext {
  readonly endpoint: string | undefined
  readonly spec: ClusterSpec
  readonly datastores: Datastores
  readonly inline: TalosCluster['inlineManifests']
  readonly versions: RoundVersions
  readonly refusals: CollectedRefusals
}

function desiredMachine(machine: Machine, place: Place, image: string, context: MachineContext): DesiredMachine {
  const { spec, datastores, refusals } = context
  const { settings } = spec.inventory
  const datastore = datastores.on(place.host, 'images', settings.proxmox.datastore)
  const board = refusals.attempt(() => machineType(machine, spec), settings.vm.machine)
  const options = { ...vmOptions(machine, settings), machine: board, ...smbiosOf(machine, spec) }
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
    ...talosAt(machine, context),
    node: {
      labels: { ...splitLabels(machine.labels).restricted, ...topologyLabels(place.host, spec) },
      taints: machine.taints,
    },
  }
}

/** A machine with a config keeps its Kubernetes images until their own steps; a new one gets the running versions. */
function talosAt(
  machine: Machine,
  { endpoint, spec, inline, versions: { keptImages, forNewMachines, hop } }: MachineContext,
): Pick<DesiredMachine, 'talos' | 'configInputs'> {
  // Without its patches it would lose settings that are not known.
  if (machine.adopted?.unread === true) return { configInputs: () => ({ unread: true }) }
  const kept = keptImages(machine.name)
  const isKept = hop?.kind !== 'kubernetes' || kept !== undefined
  const own = isKept ? spec : { ...spec, inventory: forNewMachines }
  return {
    ...talosOf(machine, endpoint, own, inline, kept),
    configInputs: () => configInputsOf(machine, own, inline, kept),
  }
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

function disksOf(machine: Machine, datastore: string, { vm }: Settings): DesiredDisk[] {
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
