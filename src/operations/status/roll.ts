import { compareVersions, parseVersion } from '../../cluster/version.js'
import type { MachineStatus } from './status.js'

/** The progress of a version change, as observed on the machines. */
export interface RollStatus {
  readonly kind: 'talos' | 'kubernetes'
  /** The oldest version that still runs. */
  readonly from: string
  readonly to: string
  readonly done: readonly string[]
  readonly left: readonly string[]
  /** Why the last run ended early, as far as this computer knows; `null` if none has started or it is still running. */
  readonly stopped: string | null
}

interface Wanted {
  readonly talos_version: string
  readonly kubernetes_version: string
}

/** Talos first: Kubernetes follows it. `null` if everything runs the wanted version. */
export function rollStatus(
  machines: readonly MachineStatus[],
  wanted: Wanted,
  lastProblem: string | undefined,
): RollStatus | null {
  return (
    rollOf('talos', machines, wanted.talos_version, lastProblem) ??
    rollOf('kubernetes', machines, wanted.kubernetes_version, lastProblem)
  )
}

function rollOf(
  kind: RollStatus['kind'],
  machines: readonly MachineStatus[],
  to: string,
  lastProblem: string | undefined,
): RollStatus | null {
  const running = machines.flatMap((machine) => {
    const version = kind === 'talos' ? machine.talos_version : machine.kubernetes_version
    return version === null ? [] : [{ name: machine.name, version }]
  })
  const left = running.filter(({ version }) => version !== to)
  const from = oldest(left.map(({ version }) => version))
  if (from === undefined) return null
  const done = running.filter(({ version }) => version === to).map(({ name }) => name)
  return { kind, from, to, done, left: left.map(({ name }) => name), stopped: lastProblem ?? null }
}

function oldest(versions: readonly string[]): string | undefined {
  const parsed = versions.flatMap((text) => {
    const version = parseVersion(text)
    return version === undefined ? [] : [{ text, version }]
  })
  return parsed.sort((one, other) => compareVersions(one.version, other.version))[0]?.text
}
