import type { Vitals } from '../core/availability.js'
import type { SimClock } from '../core/clock.js'
import type { Faults } from '../core/faults.js'
import type { GuestKind, MediumInfo } from '../core/guest.js'
import type { Ledger } from '../core/ledger.js'
import type { LabNetwork } from '../core/network.js'
import type { Topology } from '../core/topology.js'
import type { KubernetesKind } from '../kubernetes/seam.js'
import { createNodeApi } from './api/node-api.js'
import { createAnswer } from './api/routes.js'
import { Discovery } from './cluster/discovery.js'
import { KubernetesApis } from './cluster/kubernetes-apis.js'
import { VipLeases } from './cluster/vip-leases.js'
import type { EtcdMember, SavedEtcdCluster } from './etcd/etcd-cluster.js'
import { EtcdRegistry } from './etcd/etcd-registry.js'
import type { Fleet } from './fleet.js'
import { type Hooks, hooksFor } from './hooks.js'
import { createGuest } from './machine/guest.js'
import { nodeAdmits } from './machine/ingress.js'
import { guessInstaller } from './machine/installer.js'
import { TalosMachine } from './machine/machine.js'
import { createRandomHex } from './random.js'
import { vitalsOf } from './vitals.js'

export interface TalosGuestsOptions {
  readonly clock: SimClock
  readonly network: LabNetwork
  readonly kubernetes: KubernetesKind
  readonly faults: Faults
  readonly ledger: Ledger
  readonly seed: number
  /** The value of `save()`. */
  readonly resume?: unknown
  readonly onKillCaller?: () => void
  readonly registries?: Topology['registries']
  /**
   * The content of the lab's registry under an installer's name. Without it, only what a machine already runs is known.
   */
  readonly findInstaller?: (reference: string) => MediumInfo | undefined
}

/** VMs that boot Talos, and the lab's controls for them. */
export interface TalosGuests extends GuestKind, Hooks {
  /** What machines share, as JSON: every etcd with its content. Machines save themselves. */
  save(): unknown
  close(): Promise<void>
  vitals(): Vitals
  /** Machines that are powered on, by name. */
  machines(): readonly SeenMachine[]
  /** The active config of the machine with that name, and the one on its disk; empty if there is none. */
  configOf(name: string): { readonly active: string; readonly persisted: string }
}

export interface SeenMachine {
  readonly uuid: string
  readonly vmid: number
  /** Of the VM. */
  readonly name: string
  readonly hostname: string
  readonly stage: string
  readonly talos: string
  readonly addresses: readonly string[]
  /** Virtual addresses that it holds now. */
  readonly vips: readonly string[]
  readonly isReady: boolean
  readonly nics: readonly { readonly mac: string; readonly bridge: string }[]
}

interface Saved {
  readonly etcd: readonly SavedEtcdCluster[]
  readonly random: number
}

export function createTalosGuests(options: TalosGuestsOptions): TalosGuests {
  const { clock, kubernetes, resume } = options
  const saved = resume as Saved | undefined
  const { randomHex, count } = createRandomHex(options.seed, saved?.random ?? 0)
  const machines = new Set<TalosMachine>()
  const brokenImages = new Set<string>()
  const fleet: Fleet = {
    clock,
    network: options.network,
    kubernetes,
    faults: options.faults,
    ledger: options.ledger,
    randomHex,
    machines,
    guarded: new Set(),
    brokenImages,
    registries: options.registries ?? [],
    etcd: new EtcdRegistry(kubernetes, randomHex, (one, other) =>
      [one, other].every((to) =>
        options.network.canConnect(addressOf(to === one ? other : one), addressOf(to), peerPort),
      ),
    ),
    discovery: new Discovery(clock),
    apis: new KubernetesApis(),
    vips: new VipLeases(clock),
    findInstaller: (reference) => options.findInstaller?.(reference) ?? guessInstaller(reference, machines),
    killCaller: () => options.onKillCaller?.(),
  }
  options.network.filters.add((packet) => nodeAdmits(packet, fleet.guarded))
  fleet.etcd.restore(saved?.etcd ?? [])
  const answer = createAnswer()

  return {
    ...hooksFor(machines, brokenImages),
    powerOn: (hardware, resumed) => {
      const machine = new TalosMachine(fleet, hardware, (it) => createNodeApi(it, answer))
      machines.add(machine)
      machine.onGone = () => void machines.delete(machine)
      return createGuest(machine, resumed)
    },
    save: (): Saved => ({ etcd: fleet.etcd.save(), random: count() }),
    close: async () => {
      const closing = [...machines]
      machines.clear()
      await Promise.all(closing.map((machine) => machine.shutDownNow()))
    },
    vitals: () => vitalsOf(fleet),
    configOf: (name) => {
      const machine = [...machines].find(({ hardware }) => hardware.name === name)
      return { active: machine?.config?.text ?? '', persisted: machine?.system?.state?.config ?? '' }
    },
    machines: () => [...machines].map(seen).sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
  }
}

const peerPort = 2380

function addressOf({ peerUrls }: EtcdMember): string {
  return new URL(peerUrls[0] ?? 'https://localhost').hostname
}

function seen({ hardware, hostname, stage, asset, addresses, vips, isReady }: TalosMachine): SeenMachine {
  return {
    uuid: hardware.uuid,
    vmid: hardware.vmid,
    name: hardware.name,
    hostname,
    stage,
    talos: asset?.talos ?? '',
    addresses,
    vips: [...vips],
    isReady,
    nics: hardware.nics.map(({ mac, bridge }) => ({ mac, bridge })),
  }
}
