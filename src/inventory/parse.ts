import type { Complaint } from './complaint.js'
import { explainIssue } from './explain-issue.js'
import { type Path, valueAt } from './path.js'
import { inventorySchema, type Settings } from './schema.js'

export interface Parsed {
  /** The valid part, with defaults for the rest. `undefined` if nothing is valid. */
  readonly settings: Settings | undefined
  readonly complaints: readonly Complaint[]
  /** Places with invalid values, which are not in `settings`. */
  readonly pruned: readonly Path[]
}

/**
 * How often invalid values are removed before giving up; each time the parents of those that are still invalid are
 * removed too.
 */
const maxAttempts = 8

/** zod compiles a parser per object, which is worth it only for many nodes. */
const manyNodes = 100

/** Checks the data against the schema. Invalid values are removed, so that the rest can be checked in the same run. */
export function parseSettings(written: Readonly<Record<string, unknown>>): Parsed {
  const data = withoutNulls(written) as Record<string, unknown>
  const isLarge = [data.controlplane, data.workers].some((nodes) => Object.keys(nodes ?? {}).length > manyNodes)
  const first = inventorySchema.safeParse(data, { jitless: !isLarge })
  if (first.success) return { settings: first.data, complaints: [], pruned: [] }
  const complaints = first.error.issues.flatMap((issue) => explainIssue(issue, data))
  return { ...parseRest(data, complaints), complaints }
}

function parseRest(data: Record<string, unknown>, complaints: readonly Complaint[]): Omit<Parsed, 'complaints'> {
  let rest: unknown = structuredClone(data)
  const pruned: Path[] = []
  let wrong = complaints.map(({ path }) => path)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const gone = wrong.map((path) => path.slice(0, Math.max(1, path.length - attempt)))
    for (const path of gone) takeOut(rest, path)
    pruned.push(...gone.map((path) => (typeof path.at(-1) === 'number' ? path.slice(0, -1) : path)))
    rest = withoutHoles(rest)
    const next = inventorySchema.safeParse(rest)
    if (next.success) return { settings: next.data, pruned }
    wrong = next.error.issues.flatMap((issue) => explainIssue(issue, rest)).map(({ path }) => path)
  }
  return { settings: undefined, pruned }
}

/** Names are kept as placeholders: without them, everything that refers to them would have to be removed too. */
function takeOut(data: unknown, path: Path): void {
  const [parent, last] = [valueAt(data, path.slice(0, -1)), path.at(-1)]
  if (typeof parent !== 'object' || parent === null || last === undefined) return
  const place = parent as Record<string | number, unknown>
  if (last === 'cluster_name') place[last] = 'cluster'
  else if (last === 'name' && place[last] !== placeholder(path)) place[last] = placeholder(path)
  else if (Array.isArray(parent)) place[last] = undefined
  else delete place[last]
}

function placeholder(path: Path): string {
  return `unnamed-${path.filter((part) => typeof part === 'number').join('-')}`
}

/** Lists without the removed entries. */
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== undefined).map(withoutHoles)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutHoles(inner)]))
}

/** A key without a value counts as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]))
}
