import { canonicalJson } from '../cluster/canonical.js'
import type { Role } from '../cluster/machine.js'
import { isImage } from './image-pieces.js'
import type { Piece } from './pieces.js'

/** Pieces at the highest level at which they hold: for every machine, for a role, for one node. */
export interface Lifted {
  readonly cluster: readonly Piece[]
  readonly controlPlane: readonly Piece[]
  readonly worker: readonly Piece[]
  readonly nodes: Readonly<Record<string, readonly Piece[]>>
}

interface Patched {
  readonly name: string
  readonly role: Role
  readonly pieces: readonly Piece[]
  /** Its name, address, UUID and MAC: what mentions them is for no other machine. */
  readonly own: readonly string[]
}

/**
 * A piece goes up if every machine below needs exactly the same, it does not mention one of them, and it names no image:
 * a new machine gets ours.
 */
export function lift(all: readonly Patched[]): Lifted {
  const machines = all.map(({ pieces, ...machine }) => ({ ...machine, pieces: pieces.filter(isGeneral(machine.own)) }))
  const whole = commonTo(machines)
  const roles = (['controlplane', 'worker'] as const).map((role) => {
    const ofRole = machines.filter((machine) => machine.role === role)
    return commonTo(ofRole.map((machine) => ({ ...machine, pieces: without(machine.pieces, whole) })))
  })
  const [controlPlane = [], worker = []] = roles
  const above = [...whole, ...controlPlane, ...worker]
  return {
    cluster: whole,
    controlPlane,
    worker,
    nodes: Object.fromEntries(
      all.map(({ name, pieces }) => [name, without(pieces, above)] as const).filter(([, pieces]) => pieces.length > 0),
    ),
  }
}

function isGeneral(own: readonly string[]): (piece: Piece) => boolean {
  const words = own.filter((word) => word !== '').map((word) => word.toLowerCase())
  return (piece) => {
    const text = canonicalJson(piece).toLowerCase()
    return !isImage(piece) && !words.some((word) => text.includes(word))
  }
}

function commonTo(machines: readonly Pick<Patched, 'pieces'>[]): Piece[] {
  const [first, ...others] = machines.map(({ pieces }) => pieces)
  const sets = others.map((pieces) => new Set(pieces.map(canonicalJson)))
  return (first ?? []).filter((piece) => sets.every((set) => set.has(canonicalJson(piece))))
}

function without(pieces: readonly Piece[], others: readonly Piece[]): Piece[] {
  const taken = new Set(others.map(canonicalJson))
  return pieces.filter((piece) => !taken.has(canonicalJson(piece)))
}
