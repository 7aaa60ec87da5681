import { parseVersion } from '../cluster/version.js'
import { allowsVersion } from '../cluster/version-constraint.js'
import type { Advisory, AffectedCombination, Condition } from './advisory.js'

/** Versions that run side by side, and the settings of the inventory. */
export interface Combination {
  /** Of every machine; empty if none runs. */
  readonly talos: readonly string[]
  readonly kubernetes: readonly string[]
  readonly proxmox: readonly string[]
  /** Versions by name. */
  readonly addons: Readonly<Record<string, string>>
  readonly settings: object
}

export function combinationsOf({ affects }: Advisory): readonly AffectedCombination[] {
  return Array.isArray(affects) ? affects : [affects]
}

/** Every version and option that is named matches. */
export function isAffected(
  { option = {}, ...versions }: Omit<AffectedCombination, 'from'>,
  { settings, ...running }: Combination,
): boolean {
  const hasVersions = hasVersion(versions, running)
  return hasVersions && Object.entries(option).every(([path, wanted]) => isMet(wanted, valueAt(settings, path)))
}

/** Of several versions side by side, one is enough. */
export function hasVersion(
  { talos, kubernetes, proxmox, addon = {} }: Omit<AffectedCombination, 'from' | 'option'>,
  running: Omit<Combination, 'settings'>,
): boolean {
  const pairs: readonly [string | undefined, readonly string[]][] = [
    [talos, running.talos],
    [kubernetes, running.kubernetes],
    [proxmox, running.proxmox],
    ...Object.entries(addon).map(([name, range]): [string, string[]] => {
      const version = running.addons[name]
      return [range, version === undefined ? [] : [version]]
    }),
  ]
  return pairs.every(([range, versions]) => range === undefined || versions.some((version) => isWithin(version, range)))
}

function isWithin(text: string, range: string): boolean {
  const version = parseVersion(text)
  return version !== undefined && allowsVersion(range, version) === true
}

function isMet(wanted: Condition, value: unknown): boolean {
  if (typeof wanted !== 'object') return value === wanted
  if ('not' in wanted) return value !== wanted.not
  return (JSON.stringify(value) ?? '').includes(wanted.mentions)
}

function valueAt(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    return (value as Readonly<Record<string, unknown>>)[key]
  }, settings)
}
