import { basename } from 'node:path'
import type { CheckInput } from './checks/check.js'
import { checks } from './checks/index.js'
import type { Complaint } from './complaint.js'
import type { InventoryFiles } from './files.js'
import { guestsOf } from './guests.js'
import type { Inventory } from './inventory.js'
import { draftMachines, groupsOf } from './machines.js'
import { mergeSources } from './merge.js'
import { type Parsed, parseSettings } from './parse.js'
import { formatPath, type Path, parsePath, valueAt } from './path.js'
import { type Problem, placeOf } from './problem.js'
import { findMissingFiles } from './referenced-files.js'
import type { Settings } from './schema.js'
import { type Position, parseSource } from './source.js'

export interface Examined {
  readonly problems: readonly Problem[]
  /** Only if nothing is wrong. */
  readonly inventory?: Inventory
}

type Locate = (path: Path, at: 'key' | 'value') => Position

/** From the text of an environment's files to an inventory, or to all its problems. */
export async function examine({ folder, cluster, nodes }: InventoryFiles): Promise<Examined> {
  const clusterSource = parseSource(cluster.file, cluster.text)
  const nodesSource = nodes === undefined ? undefined : parseSource(nodes.file, nodes.text)
  const syntax = [...clusterSource.problems, ...(nodesSource?.problems ?? [])]
  const merged = mergeSources(clusterSource, nodesSource)
  if (merged === undefined) return { problems: syntax }

  const parsed = parseSettings(merged.data)
  const input = parsed.settings === undefined ? undefined : checkInput(parsed.settings, merged.data)
  const complaints = [...merged.complaints, ...parsed.complaints]
  if (input !== undefined) {
    complaints.push(...judge(input, parsed), ...(await findMissingFiles(folder, input.settings)))
  }
  const problems = [...syntax, ...complaints.map((complaint) => problemOf(complaint, merged.locate))].sort(byPlace)
  if (input === undefined || problems.some(({ severity }) => severity === 'error')) return { problems }
  return { problems, inventory: inventoryOf(folder, cluster.file, input, problems, merged.locate) }
}

function checkInput(settings: Settings, data: unknown): CheckInput {
  return {
    settings,
    groups: groupsOf(settings),
    drafts: draftMachines(settings),
    guests: guestsOf(settings),
    has: (path) => (valueAt(data, path) ?? null) !== null,
  }
}

/** Contradictions. A problem that follows from a value that is wrong anyway would only confuse. */
function judge(input: CheckInput, { pruned }: Parsed): Complaint[] {
  const found = checks.flatMap((check) => [...check(input)])
  const wrong = new Set(pruned.map(formatPath))
  const aboveWrong = new Set(pruned.flatMap(ancestors).map(formatPath))
  const isSound = (path: Path) => {
    return !aboveWrong.has(formatPath(path)) && !ancestors(path).some((place) => wrong.has(formatPath(place)))
  }
  return pruned.length === 0 ? found : found.filter(({ path, related = [] }) => [path, ...related].every(isSound))
}

/** A place and all its parents, without the document itself. */
function ancestors(path: Path): Path[] {
  return path.map((_, index) => path.slice(0, index + 1))
}

function problemOf({ path, message, fix, at = 'value', severity = 'error' }: Complaint, locate: Locate): Problem {
  return { severity, ...locate(path, at), path: formatPath(path), message, fix }
}

function byPlace(one: Problem, other: Problem): number {
  return one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column
}

function inventoryOf(
  folder: string,
  file: string,
  input: CheckInput,
  problems: readonly Problem[],
  locate: Locate,
): Inventory {
  return {
    folder,
    file,
    environment: input.settings.environment ?? basename(folder),
    settings: input.settings,
    machines: input.drafts.map(({ machine }) => machine),
    guests: input.guests,
    warnings: problems,
    where: (path) => placeOf({ ...locate(parsePath(path), 'value'), path }),
    problem: (path, message, fix) => problemOf({ path: parsePath(path), message, fix }, locate),
  }
}
