import { GiB, MiB, type RunningVersions } from '../cluster/machine.js'
import { kubernetesVersions, mostCommon, onlyOne } from './agreed.js'
import type { FoundMachine } from './found-cluster.js'
import type { MachineFacts } from './machine-facts.js'
import { networkSettings } from './network-settings.js'
import { type VmShape, vmSettings } from './vm-settings.js'

/** A found machine with what its config and its VM say. */
export interface Described extends FoundMachine {
  readonly facts: MachineFacts
  readonly shape: VmShape
}

type Fields = Readonly<Record<string, unknown>>

/** Options of the command, and what the comparison has shown. */
export interface Choices {
  readonly name?: string
  readonly endpoint?: string
  readonly contract: string
  /** The extensions give the schematic that runs. */
  readonly namesExtensions: boolean
  /** Versions of machines that differ from those of the inventory, and stay until an upgrade, by machine. */
  readonly runs: Readonly<Record<string, RunningVersions>>
  /** Nodes that cannot be taken over. */
  readonly unmanaged: readonly string[]
  /** VM options that differ from the inventory and stay as they are, by machine. */
  readonly kept: Readonly<Record<string, readonly string[]>>
  readonly patches: {
    readonly cluster: readonly string[]
    readonly controlPlane: readonly string[]
    readonly worker: readonly string[]
    readonly nodes: Readonly<Record<string, readonly string[]>>
  }
}

/** The settings of cluster.yaml by section; an empty section is left out. */
export function settingsOf(machines: readonly Described[], choices: Choices): Fields {
  const running = machines.filter(({ talos }) => talos !== undefined)
  const facts = running.map((machine) => machine.facts)
  const versions = running.flatMap(({ talos }) => talos?.version ?? [])
  return {
    cluster_name: choices.name ?? mostCommon(facts.map(({ clusterName }) => clusterName)),
    talos_version: newest(versions),
    kubernetes_version: newest(kubernetesVersions(facts)),
    unmanaged_nodes: choices.unmanaged,
    ...endpointSettings(running),
    proxmox: proxmoxSettings(machines, choices),
    network: networkSettings(running),
    ...sizingSettings(machines),
    vm: vmSettings(machines.map(({ shape }) => shape)),
    talos: talosSettings(running, choices),
    kubernetes: kubernetesSettings(facts),
    controlplane: machines
      .filter(({ role }) => role === 'controlplane')
      .map((machine) => node(machine, machines, choices)),
    workers: machines.filter(({ role }) => role === 'worker').map((machine) => node(machine, machines, choices)),
  }
}

function newest(versions: readonly string[]): string | undefined {
  return versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1)
}

/** A VIP of the config is the endpoint by itself. */
function endpointSettings(machines: readonly Described[]): Fields {
  const endpoint = mostCommon(machines.map(({ facts }) => facts.endpoint))
  const host = endpoint === undefined ? undefined : hostOf(endpoint)
  const isVip = machines.some(({ facts }) => facts.network.vips.includes(host ?? ''))
  return isVip && endpoint === `https://${host}:6443` ? {} : { endpoint_override: endpoint }
}

export function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).hostname.replace(/^\[|\]$/g, '') : endpoint
}

function proxmoxSettings(machines: readonly Described[], { endpoint }: Choices): Fields {
  const pool = onlyOne(machines.map(({ vm }) => vm.pool))
  const shapes = machines.map(({ shape }) => shape)
  return {
    endpoint,
    target_nodes: [...new Set(machines.map(({ vm }) => vm.host))].sort(),
    datastore: mostCommon(shapes.map(({ datastore }) => datastore)),
    bridge: mostCommon(shapes.map(({ bridge }) => bridge)),
    vlan_id: mostCommon(shapes.map(({ vlan }) => vlan)),
    pool,
  }
}

function sizingSettings(machines: readonly Described[]): Fields {
  const sizes = (['controlplane', 'worker'] as const).map((role) => {
    const ofRole = machines.filter((machine) => machine.role === role).map(({ shape }) => shape)
    return ofRole.length === 0 ? undefined : sizeFields(commonSize(ofRole))
  })
  const [controlPlane, worker] = sizes
  return { sizing: { control_plane: controlPlane, worker } }
}

type Size = Pick<VmShape, 'cpu' | 'memory' | 'disk'>

function commonSize(shapes: readonly VmShape[]): Size {
  return {
    cpu: mostCommon(shapes.map(({ cpu }) => cpu)) ?? 1,
    memory: mostCommon(shapes.map(({ memory }) => memory)) ?? 0,
    disk: mostCommon(shapes.map(({ disk }) => disk)) ?? 0,
  }
}

function sizeFields({ cpu, memory, disk }: Size): Fields {
  return { cpu, ram: bytesText(memory), disk: bytesText(disk) }
}

function bytesText(bytes: number): string {
  return bytes % GiB === 0 ? `${bytes / GiB}GiB` : `${Math.ceil(bytes / MiB)}MiB`
}

function talosSettings(machines: readonly Described[], choices: Choices): Fields {
  const facts = machines.map((machine) => machine.facts)
  const isMetal = machines.every(({ talos }) => talos?.platform === 'metal')
  const schematic = mostCommon(machines.map(({ talos }) => talos?.schematic))
  const usual = machines.filter(({ talos }) => talos?.schematic === schematic)
  const hasAgent = mostCommon(machines.map(({ shape }) => shape.hasAgent)) ?? false
  const extensions = (mostCommon(usual.map(({ talos }) => talos?.extensions.join())) ?? '').split(',').filter(Boolean)
  const { cluster, controlPlane, worker } = choices.patches
  const encryption = onlyOne(facts.map((fact) => fact.encryption))
  return {
    contract: choices.contract,
    ...(isMetal ? { platform: 'metal', boot: 'iso', delivery: 'apply' } : {}),
    ...(choices.namesExtensions
      ? { extensions: extensions.filter((name) => !hasAgent || name !== 'qemu-guest-agent') }
      : { schematic }),
    secure_boot: facts.every(({ installImage }) => installImage?.includes('secureboot')) ? true : undefined,
    disk_encryption: encryption === undefined ? undefined : { key: encryption },
    install_disk: onlyOne(facts.map(({ installDisk }) => installDisk)),
    hostnames: machines.every(({ name, facts: { hostname } }) => hostname === name) ? undefined : 'dhcp',
    discovery: facts.every(({ hasDiscovery }) => !hasDiscovery) ? false : undefined,
    kube_prism: facts.every(({ hasKubePrism }) => !hasKubePrism) ? false : undefined,
    sysctls: common(facts.map(({ sysctls }) => sysctls)),
    patches: { cluster, control_plane: controlPlane, worker },
  }
}

function kubernetesSettings(facts: readonly MachineFacts[]): Fields {
  const controlPlanes = facts.filter(({ podSubnets }) => podSubnets.length > 0)
  const cni = mostCommon((controlPlanes.length > 0 ? controlPlanes : facts).map((fact) => fact.cni))
  return {
    dns_domain: onlyOne(facts.map(({ dnsDomain }) => dnsDomain)),
    cni: cni === 'flannel' ? 'flannel' : 'none',
    kube_proxy: facts.some(({ hasKubeProxy }) => !hasKubeProxy) ? false : undefined,
    schedule_on_control_planes: facts.some(({ schedulesOnControlPlanes }) => schedulesOnControlPlanes),
  }
}

/** Entries that every machine has. */
function common(maps: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const [first = {}, ...others] = maps
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) =>
      others.every((map) => Object.hasOwn(map, key) && map[key] === value),
    ),
  )
}

/** Set by Talos itself on every control plane. */
const ownLabel = 'node.kubernetes.io/exclude-from-external-load-balancers'

function node(machine: Described, machines: readonly Described[], { kept, runs, patches }: Choices): Fields {
  const { name, address, uuid, vm, shape, facts, talos } = machine
  const usual = commonSize(machines.filter(({ role }) => role === machine.role).map((other) => other.shape))
  const own = sizeFields(shape)
  const common = sizeFields(usual)
  const labels = Object.fromEntries(Object.entries(facts.labels).filter(([key]) => key !== ownLabel))
  return {
    name,
    ip: address,
    ...Object.fromEntries(Object.entries(own).filter(([key, value]) => value !== common[key])),
    disks: shape.disks.map(({ size, datastore }) => ({ size: bytesText(size), datastore })),
    vmid: vm.vmid,
    uuid,
    mac: vm.mac,
    labels,
    adopted: { keep: kept[name] ?? [], unread: talos === undefined ? true : undefined, runs: runs[name] },
    patches: patches.nodes[name] ?? [],
  }
}
