import { compareNames } from './compare-names.js'

export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** `rc.1`, if there is one. */
  readonly pre?: string
}

/** `v1.13.9`, `1.13.9` or `v1.14.0-rc.1`; `undefined` for anything else. */
export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/.exec(text)
  if (match === null) return undefined
  const [, major, minor, patch, pre] = match
  const numbers = { major: Number(major), minor: Number(minor), patch: Number(patch) }
  return pre === undefined ? numbers : { ...numbers, pre }
}

/** `v1.13`: the unit of Talos version contracts and Kubernetes skew rules. */
export function minorOf(version: Version): string {
  return `v${version.major}.${version.minor}`
}

/** Negative if `one` is older. A pre-release is older than its release. */
export function compareVersions(one: Version, other: Version): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch || comparePre(one.pre, other.pre)
}

function comparePre(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  return compareNames(one, other)
}

/** Kubernetes minor versions that each Talos minor version supports. A newer Talos is treated like the last row. */
const takes: readonly { talos: number; from: number; to: number }[] = [
  { talos: 8, from: 26, to: 31 },
  { talos: 9, from: 27, to: 32 },
  { talos: 10, from: 28, to: 33 },
  { talos: 11, from: 29, to: 34 },
  { talos: 12, from: 30, to: 35 },
  { talos: 13, from: 31, to: 36 },
  { talos: 14, from: 32, to: 37 },
]

export const oldestTalosMinor = 8
export const newestTalosMinor = 14

/**
 * First and last Kubernetes minor version (of major 1) that this Talos supports; `undefined` for an older, unknown
 * Talos.
 */
export function kubernetesRange(talos: Version): { from: number; to: number } | undefined {
  const known = takes.find((row) => row.talos === Math.min(talos.minor, newestTalosMinor))
  return talos.major === 1 && known !== undefined ? { from: known.from, to: known.to } : undefined
}
