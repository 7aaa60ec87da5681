import type { Packet } from '../../packet-filters.js'
import type { IngressRules } from '../config/ingress-rules.js'
import { withinAny } from '../resources/subnets.js'
import type { TalosMachine } from './machine.js'

/** Whether the node that has this address lets the packet in; it lets in everything of its own. */
export function nodeAdmits(packet: Packet, guarded: ReadonlySet<TalosMachine>): boolean {
  const { from, to } = packet
  const machine = [...guarded].find(({ addresses, vips }) => addresses.includes(to) || vips.has(to))
  if (machine?.networkFacts === undefined || machine.addresses.includes(from)) return true
  return admits(machine.networkFacts.ingress, packet)
}

/**
 * As Talos writes it into nftables: where everything else is dropped, a rule accepts, and what belongs to an open connection
 * passes. Where everything else is accepted, a rule drops what comes from elsewhere, open connection or not.
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
