import type { SimClock } from '../../core/clock.js'
import type { Packet, PacketFilters } from '../../core/packet-filters.js'
import type { DatacenterState, FirewallRule, FirewallState } from '../state.js'

/** How often hosts poll for new rules. */
const periodMs = 10_000

/** What the hosts allow to their VMs: by the rules of their last poll. */
export interface VmFirewall {
  /** Whether any VM is filtered. */
  isOn(): boolean
  admits(vmid: number, packet: Packet): boolean
  /** What a host allows to itself. */
  admitsToHost(host: string, packet: Packet): boolean
  /** Rules were written, which apply after the next poll. */
  changed(): void
}

type Firewalls = Readonly<Record<string, FirewallState>>

export function createVmFirewall(state: DatacenterState, clock: SimClock, filters: PacketFilters): VmFirewall {
  let inForce: Firewalls = structuredClone(state.firewall)
  let isAwaited = false
  const isOn = () => inForce.cluster?.options.enable === '1'
  return {
    isOn,
    admits: (vmid, packet) => {
      const firewall = inForce[`vm/${vmid}`]
      const nics = Object.entries(state.vms[String(vmid)]?.config ?? {}).filter(([key]) => /^net\d+$/.test(key))
      const isPlugged = nics.some(([, nic]) => /(^|,)firewall=1(,|$)/.test(String(nic)))
      if (!isOn() || !isPlugged || firewall?.options.enable !== '1' || !packet.isNew) return true
      return verdict(firewall, inForce, packet) === 'ACCEPT'
    },
    admitsToHost: (host, packet) => {
      const own = inForce[`node/${host}`]
      if (!isOn() || own?.options.enable === '0' || !packet.isNew || packet.from === packet.to) return true
      return hostVerdict(own, inForce, packet) === 'ACCEPT'
    },
    changed: () => {
      if (isAwaited) return
      isAwaited = true
      clock.after(periodMs, () => {
        isAwaited = false
        inForce = structuredClone(state.firewall)
        filters.changed()
      })
    },
  }
}

function verdict(firewall: FirewallState, all: Firewalls, packet: Packet): string {
  return firstRule(firewall, all, packet)?.action ?? firewall.options.policy_in ?? 'DROP'
}

/** The first matching rule decides; those of a group are in its place. */
function firstRule({ rules }: FirewallState, all: Firewalls, packet: Packet): FirewallRule | undefined {
  return rules
    .filter(({ enable }) => enable === '1')
    .flatMap((rule) => (rule.type === 'group' ? (all.cluster?.groups[rule.action ?? '']?.rules ?? []) : [rule]))
    .find((one) => one.enable === '1' && one.type === 'in' && fits(one, all, packet))
}

/**
 * The web interface, SPICE, consoles, SSH and migrations: open to the IP set `management` and to the host's network.
 */
const managementPorts = ['8006', '3128', '5900:5999', '22', '60000:60050']

/** Rules of the host, rules of the datacenter, what Proxmox opens by default, and then the policy of the datacenter. */
function hostVerdict(own: FirewallState | undefined, all: Firewalls, packet: Packet): string {
  const { cluster } = all
  const rule =
    (own === undefined ? undefined : firstRule(own, all, packet)) ??
    (cluster === undefined ? undefined : firstRule(cluster, all, packet))
  if (rule?.action !== undefined) return rule.action
  const isManager = isAmong(packet.from, '+management', all) || isWithin(packet.from, `${packet.to}/24`)
  const isManaged = packet.protocol === 'tcp' && managementPorts.some((ports) => isWithinPorts(packet.port, ports))
  return isManager && isManaged ? 'ACCEPT' : (cluster?.options.policy_in ?? 'DROP')
}

function fits({ proto, dport, source, dest }: FirewallRule, all: Firewalls, packet: Packet): boolean {
  if (proto !== undefined && proto !== packet.protocol) return false
  if (dport !== undefined && !dport.split(',').some((part) => isWithinPorts(packet.port, part))) return false
  return isAmong(packet.from, source, all) && isAmong(packet.to, dest, all)
}

function isWithinPorts(port: number, text: string): boolean {
  const [first = '', last = first] = text.split(':')
  return Number(first) <= port && port <= Number(last)
}

/** By an IP set of the datacenter, or by a list of networks. */
function isAmong(address: string, text: string | undefined, all: Firewalls): boolean {
  if (text === undefined) return true
  const set = /^\+(?:dc\/)?(.+)$/.exec(text)?.[1]
  const networks = set === undefined ? text.split(',') : all.cluster?.ipsets[set]?.entries.map(({ cidr }) => cidr)
  return (networks ?? []).some((network) => isWithin(address, network))
}

function isWithin(address: string, network: string): boolean {
  const [base = '', bits = '32'] = network.split('/')
  if (address.includes(':') || base.includes(':')) return false
  const size = 2 ** (32 - Number(bits))
  return Math.floor(numberOf(address) / size) === Math.floor(numberOf(base) / size)
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}
