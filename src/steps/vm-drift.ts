import type { Desired, DesiredMachine } from '../desired/desired.js'
import { readMark } from '../ownership/mark.js'

/** An option of the VM that is not as wanted. */
export interface WrongOption {
  readonly key: string
  readonly actual: string | undefined
  readonly wanted: string
  /** Running VMs take it only with a cold start. */
  readonly needsRestart: boolean
}

/** Taken over by a running VM at once; everything else waits for a cold start. */
const live = new Set(['name', 'onboot', 'startup', 'tags', 'description', 'protection'])

/**
 * Options that ichor sets and somebody changed. What ichor did not write is never drift. Where the change still waits for a
 * cold start, `running` says what the VM runs with: to set that back needs none.
 */
export function wrongOptions(
  wanted: DesiredMachine,
  desired: Desired,
  actual: Readonly<Record<string, string>>,
  running: Readonly<Record<string, string>> = {},
): WrongOption[] {
  const runsWith = ({ key, wanted: should }: { key: string; wanted: string }) =>
    running[key] !== undefined && sameOption(key, running[key], should)
  const wrong = Object.entries(wanted.options)
    .map(([key, value]) => ({
      key,
      actual: actual[key],
      wanted: typeof value === 'boolean' ? (value ? '1' : '0') : String(value),
    }))
    .filter(({ key, actual: is, wanted: should }) => !sameOption(key, is, should))
    .map((option) => ({ ...option, needsRestart: !live.has(option.key) && !runsWith(option) }))
  const mayTag = readMark(actual.description)?.more?.tags !== 'forbidden'
  const tags = mayTag ? missingTags(desired.cluster.tags, actual.tags) : undefined
  return tags === undefined
    ? wrong
    : [...wrong, { key: 'tags', actual: actual.tags, wanted: tags, needsRestart: false }]
}

/** All of ours beside the user's own; `undefined` when none is missing. */
function missingTags(ours: readonly string[], actual: string | undefined): string | undefined {
  const there = (actual ?? '').split(/[;, ]+/).filter((tag) => tag !== '')
  const missing = ours.filter((tag) => !there.includes(tag))
  return missing.length === 0 ? undefined : [...there, ...missing].sort().join(';')
}

/** Property strings mean the same whatever the order of their parts, and a NIC may have been given more settings. */
function sameOption(key: string, actual: string | undefined, wanted: string): boolean {
  if (actual === undefined) return wanted === '' || (wanted === '0' && key === 'onboot')
  if (actual === wanted) return true
  if (!wanted.includes(',') && !wanted.includes('=')) return key === 'agent' ? actual.split(',')[0] === wanted : false
  const is = parts(key, actual)
  return [...parts(key, wanted)].every(([name, value]) => is.get(name)?.toLowerCase() === value.toLowerCase())
}

function parts(key: string, text: string): Map<string, string> {
  return new Map(
    text.split(',').map((part, index) => {
      const [name = '', ...rest] = part.split('=')
      if (rest.length === 0) return [index === 0 ? 'default' : name, index === 0 ? name : '1'] as const
      const isModel = key.startsWith('net') && index === 0
      return [isModel ? 'model' : name, isModel ? `${name}=${rest.join('=')}` : rest.join('=')] as const
    }),
  )
}
