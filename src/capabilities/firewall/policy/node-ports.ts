import type { FirewallPolicy } from './policy.js'

/** Wider ranges, such as node ports, are not tested. */
const widest = 4

/** TCP ports that the policy of a role opens for nodes, without wide ranges. */
export function nodePorts({ openings, nodes }: Pick<FirewallPolicy, 'openings' | 'nodes'>): number[] {
  const isForNodes = (from: readonly string[]) => nodes.every((cidr) => from.includes(cidr))
  return openings
    .filter(({ protocol, from }) => protocol === 'tcp' && isForNodes(from))
    .filter(({ first, last }) => last - first < widest)
    .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .sort((a, b) => a - b)
}
