import type { FirewallPolicy } from './policy.js'

/** What is opened as a wide range, such as node ports, is not dialled port by port. */
const widest = 4

/** TCP ports that nodes may reach on the machines of a role, as far as they can be dialled one by one. */
export function nodePorts({ openings, nodes }: Pick<FirewallPolicy, 'openings' | 'nodes'>): number[] {
  const isForNodes = (from: readonly string[]) => nodes.every((cidr) => from.includes(cidr))
  return openings
    .filter(({ protocol, from }) => protocol === 'tcp' && isForNodes(from))
    .filter(({ first, last }) => last - first < widest)
    .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .sort((a, b) => a - b)
}
