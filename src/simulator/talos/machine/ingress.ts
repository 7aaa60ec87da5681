import type { Packet } from '../../core/packet-filters.js'
import type { IngressRules } from '../config/ingress-rules.js'
import { withinAny } from '../resources/subnets.js'
import type { TalosMachine } from './machine.js'

/** Whether the node with this address accepts the packet; it accepts all of its own. */
export function nodeAdmits(packet: Packet, guarded: ReadonlySet<TalosMachine>): boolean {
  const { from, to } = packet
  const machine = [...guarded].find(({ addresses, vips }) => addresses.includes(to) || vips.has(to))
  if (machine?.networkFacts === undefined || machine.addresses.includes(from)) return true
  return admits(machine.networkFacts.ingress, packet)
}

/**
 * Like Talos's nftables rules: with default drop, a rule accepts, and packets of open connections pass. With default
 * accept, a rule drops packets from elsewhere, even of open connections.
 */
function admits({ defaultAction, rules }: IngressRules, { from, port, protocol, isNew }: Packet): boolean {
  const about = rules.filter(
    (rule) => rule.protocol === protocol && rule.ports.some(([first, last]) => first <= port && port <= last),
  )
  const isNamed = ({ from: sources }: (typeof about)[number]) =>
    sources.some(
      ({ subnet, except }) => withinAny(from, [subnet]) && (except === undefined || !withinAny(from, [except])),
    )
  return defaultAction === 'block' ? !isNew || about.some(isNamed) : about.every(isNamed)
}
