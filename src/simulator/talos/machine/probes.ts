import type { VirtualNic } from '../../core/guest.js'
import type { ProbeConfig } from '../config/network-facts.js'
import { withinAny } from '../resources/subnets.js'
import type { TalosMachine } from './machine.js'

/** The result of a probe of the active config. */
export interface ProbeStatus {
  readonly endpoint: string
  /** With the message of Go's dialer; missing on success. */
  readonly error?: string
}

/**
 * The current results of the active config's probes. A failure is reported only after the configured number of
 * attempts.
 */
export function probeStatuses(machine: TalosMachine): ProbeStatus[] {
  const { networkFacts, fleet, bootedAt, addresses } = machine
  if (addresses.length === 0) return []
  const upMs = fleet.clock.now() - bootedAt
  return (networkFacts?.probes ?? [])
    .map((probe) => ({ probe, error: dial(machine, probe) }))
    .filter(({ probe, error }) => error === undefined || upMs >= probe.failureThreshold * probe.intervalMs)
    .map(({ probe: { endpoint }, error }) => ({ endpoint, ...(error === undefined ? {} : { error }) }))
}

function dial(machine: TalosMachine, { endpoint }: ProbeConfig): string | undefined {
  const [, address = '', port = ''] = /^(.*):(\d+)$/.exec(endpoint) ?? []
  const { network } = machine.fleet
  const [own = ''] = machine.addresses
  const isOwn = address === '127.0.0.1' || machine.addresses.includes(address)
  const lost = isOwn ? undefined : (wayTo(machine, address) ?? cutOff(machine, own, address, Number(port)))
  if (lost !== undefined) return `dial tcp ${endpoint}: ${lost}`
  const target = isOwn ? machine : holderOf(machine, address)?.machine
  const isServed =
    network.resolve(isOwn ? own : address, Number(port)) !== undefined || isListening(target, Number(port))
  return isServed ? undefined : `dial tcp ${endpoint}: connect: connection refused`
}

/** Ports of services that need no socket in the lab. */
const servicePorts: Readonly<Record<number, string>> = { 2379: 'etcd', 2380: 'etcd', 10250: 'kubelet', 50001: 'trustd' }

/** Since Talos 1.14. */
const etcdMetricsPort = 2383

function isListening(machine: TalosMachine | undefined, port: number): boolean {
  const service = port === etcdMetricsPort && (machine?.minor ?? 0) >= 14 ? 'etcd' : servicePorts[port]
  return machine?.services.find(service ?? '')?.state === 'Running'
}

/** Why the machine's NICs and routes do not reach the target. */
function wayTo(machine: TalosMachine, address: string): string | undefined {
  const cards = machine.links.map((link, index) => ({ link, nic: machine.hardware.nics[index] }))
  const near = cards.find(({ link }) => withinAny(address, link.addresses))
  const far = cards.find(({ link }) => link.gateways.length > 0)
  const nic = near?.nic ?? far?.nic
  if (nic === undefined) return 'connect: network is unreachable'
  const holder = holderOf(machine, address)
  if (near === undefined) return isOutside(nic) && isOutside(holder?.nic) ? undefined : 'connect: no route to host'
  const isOneWire = holder === undefined ? isOutside(nic) : wireOf(machine, nic) === wireOf(holder.machine, holder.nic)
  return isOneWire ? undefined : 'connect: no route to host'
}

function cutOff({ fleet }: TalosMachine, own: string, address: string, port: number): string | undefined {
  return fleet.network.canConnect(own, address, port) ? undefined : 'i/o timeout'
}

/** The machine that has the address, and its NIC; hosts and everything else are outside. */
function holderOf({ fleet }: TalosMachine, address: string) {
  for (const machine of fleet.machines) {
    const index = machine.vips.has(address)
      ? 0
      : machine.links.findIndex(({ addresses }) => addresses.some((cidr) => cidr.split('/')[0] === address))
    const nic = machine.hardware.nics[index]
    if (nic !== undefined) return { machine, nic }
  }
  return undefined
}

function isOutside(nic: VirtualNic | undefined): boolean {
  return nic?.isIsolated !== true
}

/** Bridges with the same name share a network if they have a port; one without is a separate network on every host. */
function wireOf({ hardware }: TalosMachine, { bridge, vlan = 0, isIsolated = false }: VirtualNic): string {
  return `${isIsolated ? hardware.host : ''}/${bridge}/${vlan}`
}
