import { createHash } from 'node:crypto'
import type { Cidr } from '../../../cluster/address.js'
import { canonicalJson } from '../../../cluster/canonical.js'
import type { FirewallPolicy } from './policy.js'
import type { Opening } from './ports.js'

/** A security group of Proxmox, the IP sets that it names, and what a VM that uses it does with the rest. */
export interface ProxmoxGroup {
  /** Made from everything below: another policy is another group, so machines that use the old one are unaffected. */
  readonly name: string
  readonly comment: string
  readonly policy: FirewallPolicy
  readonly ipsets: readonly { readonly name: string; readonly entries: readonly Cidr[] }[]
  /** In their order. */
  readonly rules: readonly ProxmoxRule[]
  readonly policyIn: 'ACCEPT' | 'DROP'
}

interface ProxmoxRule {
  readonly action: 'ACCEPT' | 'DROP'
  /** As Proxmox names it: `proto`, `dport`, `source`, `dest`. */
  readonly match: Readonly<Record<string, string>>
}

/** Proxmox allows 18 characters for the name of a group. */
const hashLength = 12

export function proxmoxGroup(policy: FirewallPolicy, comment: string): ProxmoxGroup {
  const { defaultDeny, openings } = policy
  const hash = createHash('sha256')
    .update(canonicalJson({ policy, comment, ...familiesOf(policy) }))
    .digest('hex')
    .slice(0, hashLength)
  const name = `ichor-${hash}`
  const sets = { admins: policy.admins, nodes: policy.nodes, pods: policy.pods }
  const ipsets = Object.entries(sets)
    .filter(([, entries]) => entries.length > 0 && !entries.some(isEverything))
    .map(([set, entries]) => ({ name: `${name}-${set}`, entries }))
  return {
    name,
    comment,
    policy,
    ipsets,
    rules: [
      ...openings.flatMap((opening) => acceptRules(opening, ipsets)),
      ...['icmp', 'ipv6-icmp'].map((proto) => ({ action: 'ACCEPT' as const, match: { proto } })),
      // Where pods are routed and not wrapped, their packets come with their own addresses.
      { action: 'ACCEPT', match: { source: `+${name}-pods`, dest: `+${name}-pods` } },
      ...(defaultDeny ? [] : openings.map((opening) => ({ action: 'DROP' as const, match: portsOf(opening) }))),
    ],
    policyIn: defaultDeny ? 'DROP' : 'ACCEPT',
  }
}

/** A rule for each set that may come, and for each network that is in none of them. */
function acceptRules(opening: Opening, ipsets: ProxmoxGroup['ipsets']): ProxmoxRule[] {
  const within = ipsets.filter(({ entries }) => entries.every((entry) => opening.from.includes(entry)))
  const named = new Set(within.flatMap(({ entries }) => entries))
  const others = opening.from.filter((cidr) => !named.has(cidr))
  const sources = [...within.map(({ name }) => `+${name}`), ...others]
  return sources.map((source) => ({
    action: 'ACCEPT',
    // A rule without a source would open the other IP family as well.
    match: { ...portsOf(opening), source },
  }))
}

/** Groups are never changed: those of before opened both families, and get another name. */
function familiesOf({ openings }: FirewallPolicy): { families?: 'kept' } {
  return openings.some(({ from }) => from.some(isEverything)) ? { families: 'kept' } : {}
}

/** No IP set can hold it. */
function isEverything(cidr: Cidr): boolean {
  return cidr.endsWith('/0')
}

function portsOf({ protocol, first, last }: Opening): Record<string, string> {
  return { proto: protocol, dport: first === last ? String(first) : `${first}:${last}` }
}
