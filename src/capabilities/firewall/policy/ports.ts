import type { Cidr } from '../../../cluster/address.js'

export type Protocol = 'tcp' | 'udp'

/** Ports of a node, and who may reach them. */
export interface Opening {
  readonly name: string
  readonly protocol: Protocol
  readonly first: number
  readonly last: number
  readonly from: readonly Cidr[]
}

/**
 * The same, with every port in one opening only: in Talos a rule also closes its ports for every source that it does not name,
 * so a second rule for the same port would never be heard.
 */
export function disjoint(openings: readonly Opening[]): Opening[] {
  const protocols = [...new Set(openings.map(({ protocol }) => protocol))]
  return named(protocols.flatMap((protocol) => joined(segments(openings.filter((one) => one.protocol === protocol)))))
}

/** Cut wherever one of them begins or ends. */
function segments(openings: readonly Opening[]): Opening[] {
  const edges = [...new Set(openings.flatMap(({ first, last }) => [first, last + 1]))].sort((a, b) => a - b)
  return edges.flatMap((first, index) => {
    const last = (edges[index + 1] ?? first) - 1
    const [one, ...others] = openings.filter((opening) => opening.first <= first && first <= opening.last)
    if (one === undefined) return []
    const from = [...new Set([one, ...others].flatMap((opening) => opening.from))].sort()
    return [{ ...one, first, last, from }]
  })
}

/** Neighbours of one name and the same sources are one again. */
function joined(openings: readonly Opening[]): Opening[] {
  const all: Opening[] = []
  for (const opening of openings) {
    const before = all.at(-1)
    const isSame =
      before?.last === opening.first - 1 && before.name === opening.name && before.from.join() === opening.from.join()
    if (before !== undefined && isSame) all[all.length - 1] = { ...before, last: opening.last }
    else all.push(opening)
  }
  return all
}

/** No two have the same name. */
function named(openings: readonly Opening[]): Opening[] {
  return openings.map((opening) => {
    const isAlone = openings.every((other) => other === opening || other.name !== opening.name)
    return isAlone ? opening : { ...opening, name: `${opening.name}-${opening.protocol}-${opening.first}` }
  })
}
