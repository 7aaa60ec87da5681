import { type Availability, watchAvailability } from './core/availability.js'
import { createSimClock, type SimClock } from './core/clock.js'
import { createFaults, type Faults } from './core/faults.js'
import type { GuestKind } from './core/guest.js'
import { createLedger, type Ledger } from './core/ledger.js'
import { claimLoopback } from './core/loopback-range.js'
import { createLabNetwork, type LabNetwork, type SavedNetwork } from './core/network.js'
import type { Packet } from './core/packet-filters.js'
import type { Topology } from './core/topology.js'
import { criticalPath } from './critical-path.js'
import { type Entrance, openSocks, openSsh, type SshEntrance } from './entrances/index.js'
import { createFactorySim } from './factory/index.js'
import { killCaller } from './kill-caller.js'
import { createKubernetesKind } from './kubernetes/index.js'
import { createProxmoxSim, type ProxmoxSim, type SavedProxmox, type ServedRequest } from './proxmox/index.js'
import { createTalosGuests, type TalosGuests } from './talos/index.js'

export type { Availability, Outage } from './core/availability.js'
export type { SimClock } from './core/clock.js'
export type { FaultAction, FaultRule, Faults } from './core/faults.js'
export type { DiskContent, Guest, GuestKind, Hardware, VirtualDisk } from './core/guest.js'
export type { Ledger, LedgerEntry } from './core/ledger.js'
export type { DhcpScope, LabNetwork } from './core/network.js'
export type { Cut, NetworkCuts } from './core/network-cuts.js'
export type { SimFile, SimForeignGuest, SimHost, SimStorage, Topology } from './core/topology.js'
export type { Touch } from './core/touches.js'
export type { ProxmoxSim, ProxmoxTrouble, ServedRequest } from './proxmox/index.js'
export type { SeenMachine, TalosGuests } from './talos/index.js'

export interface LabOptions {
  readonly topology: Topology
  /** How much faster than real time the lab's time runs. */
  readonly speed?: number
  readonly seed?: number
  readonly pve?: 8 | 9
  readonly port?: number
  /** The value of `save()`: the lab continues from there, with its own topology. */
  readonly resume?: SavedLab
  /** Charts that the lab does not know are rendered by the local helm. */
  readonly unknownCharts?: boolean
  /** Puts something else in the place of simulated machines, such as a real Talos node. */
  guestKind?(simulated: GuestKind, network: LabNetwork): GuestKind
  /** A fault kills the caller, and the caller is this process. */
  onKillCaller?(): void
}

/** A whole datacenter on loopback: Proxmox, its Talos machines with their Kubernetes, and an Image Factory. */
export interface Lab {
  readonly proxmox: ProxmoxSim
  readonly talos: TalosGuests
  readonly factoryUrl: string
  readonly socks: Entrance
  readonly ssh: SshEntrance
  readonly network: LabNetwork
  readonly faults: Faults
  readonly ledger: Ledger
  /** Outages, and changes to each VM. */
  readonly availability: Availability
  readonly clock: SimClock
  readonly topology: Topology
  /** The minimum model milliseconds for its cluster. */
  criticalPath(): number
  /** A JSON value that `startLab({ resume })` continues from. */
  save(): SavedLab
  close(): Promise<void>
}

export interface SavedLab {
  readonly format: 1
  readonly at: number
  readonly speed: number
  readonly seed: number
  readonly pve: 8 | 9
  readonly topology: Topology
  readonly network: SavedNetwork
  readonly proxmox: SavedProxmox
  readonly talos: unknown
  readonly factory: unknown
  /** The factory's address is part of the machines' configs, as the source of their installer. */
  readonly factoryPort: number
}

export async function startLab(options: LabOptions): Promise<Lab> {
  const { resume } = options
  const topology = resume?.topology ?? options.topology
  const speed = options.speed ?? resume?.speed ?? 1
  const seed = options.seed ?? resume?.seed ?? 1
  const pve = options.pve ?? resume?.pve ?? 9
  const port = options.port ?? 8006
  const clock = createSimClock({ speed, ...(resume === undefined ? {} : { startAt: resume.at }) })
  const range = await claimLoopback(resume?.network.prefix)
  const network = createLabNetwork({
    scopes: topology.dhcp,
    prefix: range.prefix,
    ...(topology.operator === undefined ? {} : { operatorAddress: topology.operator }),
    namesOf: (address) => namesOf(address),
    ...(resume === undefined ? {} : { saved: resume.network }),
  })
  let served = (): readonly ServedRequest[] => []
  const hostsAt = new Map(topology.hosts.map(({ name, address }) => [address, [name]]))
  const namesOf = (address: string) => hostsAt.get(address) ?? machineNamesAt(talos, address)
  const faults = createFaults(seed)
  const ledger = createLedger()
  const around = { clock, network, faults, ledger, onKillCaller: () => killCaller(served(), options.onKillCaller) }

  // Before Proxmox: the machines of a resumed lab boot as soon as it exists, and keep this process busy.
  const [factory, socks, ssh] = await Promise.all([
    createFactorySim({
      ...around,
      network: withPort(network, resume?.factoryPort),
      ...(resume === undefined ? {} : { saved: resume.factory }),
    }),
    openSocks({ network }),
    openSsh({ network }),
  ])
  const talos = createTalosGuests({
    ...around,
    seed,
    kubernetes: createKubernetesKind({ ...around, rendersUnknownCharts: options.unknownCharts }),
    registries: topology.registries ?? [],
    findInstaller: (reference) => factory.findInstaller(reference),
    ...(resume === undefined ? {} : { resume: resume.talos }),
  })
  const closeAround = async () => {
    await Promise.all([socks.close(), ssh.close(), factory.close()])
    await talos.close()
    clock.stop()
    await range.release()
  }
  const proxmox = await createProxmoxSim({
    ...around,
    topology,
    guests: options.guestKind?.(talos, network) ?? talos,
    seed,
    pve,
    port,
    ...(resume === undefined ? {} : { resume: resume.proxmox }),
  }).catch(async (thrown: unknown) => {
    await closeAround()
    throw thrown
  })
  served = () => proxmox.requests()
  network.filters.add((packet) => isLetToVm(packet, proxmox, talos) && isLetToHost(packet, proxmox))
  const availability = watchAvailability(ledger, clock, () => talos.vitals())

  return {
    proxmox,
    talos,
    factoryUrl: factory.url,
    socks,
    ssh,
    network,
    faults,
    ledger,
    availability,
    clock,
    topology,
    criticalPath: () => criticalPath(ledger.entries(), proxmox.save().state),
    save: () =>
      structuredClone({
        format: 1 as const,
        at: clock.now(),
        speed,
        seed,
        pve,
        topology,
        network: network.save(),
        proxmox: proxmox.save(),
        talos: talos.save(),
        factory: factory.save(),
        factoryPort: Number(new URL(factory.url).port),
      }),
    close: async () => {
      await proxmox.close()
      await closeAround()
    },
  }
}

/** What the host's firewall allows for the VM that has the address now. */
function isLetToVm(packet: Packet, { vmFirewall }: ProxmoxSim, talos: TalosGuests): boolean {
  if (!vmFirewall.isOn()) return true
  const machine = talos.machines().find(({ addresses, vips }) => [...addresses, ...vips].includes(packet.to))
  return machine === undefined || vmFirewall.admits(machine.vmid, packet)
}

function isLetToHost(packet: Packet, { vmFirewall, hostAt }: ProxmoxSim): boolean {
  const host = vmFirewall.isOn() ? hostAt(packet.to) : undefined
  return host === undefined || vmFirewall.admitsToHost(host, packet)
}

/** Names of the VM and the node that have an address now. */
function machineNamesAt(talos: TalosGuests, address: string): string[] {
  return talos
    .machines()
    .filter(({ addresses, vips }) => [...addresses, ...vips].includes(address))
    .flatMap(({ name, hostname }) => [name, hostname])
}

/** A network on which a server that requests any port gets that one, unless it is taken. */
function withPort(network: LabNetwork, wanted: number | undefined): LabNetwork {
  if (wanted === undefined) return network
  return {
    ...network,
    listen: (server, address, port) =>
      network.listen(server, address, port === 0 ? wanted : port).catch(() => network.listen(server, address, port)),
  }
}
