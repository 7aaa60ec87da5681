import { byCause } from '../findings/by-cause.js'
import type { Status } from '../operations/status/status.js'
import { cureText } from './cure-text.js'

/** The overall state in one word, and the problems, each with its fix. */
export interface Verdict {
  readonly word: 'HEALTHY' | 'DEGRADED' | 'DOWN' | 'SHUT DOWN' | 'NOT CREATED' | 'UNKNOWN'
  readonly isGood: boolean
  /** Findings with what explains them first; what follows from another one is left out. */
  readonly problems: readonly { readonly text: string; readonly fix: string }[]
}

export function verdictOf(status: Status): Verdict {
  const problems = byCause(status.findings)
    .filter(({ finding }) => finding.severity !== 'info')
    .map(({ finding }) => ({ text: finding.title, fix: cureText(finding.cure) }))
  return { word: wordOf(status), isGood: status.healthy, problems }
}

function wordOf(status: Status): Verdict['word'] {
  const { machines, etcd, healthy, findings } = status
  if (status.shut_down !== null) return 'SHUT DOWN'
  if (machines.every(({ state }) => state === 'absent') && etcd.members === 0) return 'NOT CREATED'
  if (healthy) return 'HEALTHY'
  // Nothing was found, and a whole source could not be seen.
  if (findings.every(({ severity }) => severity === 'info')) return 'UNKNOWN'
  // The owner of the VMs cannot be proven, so their guests were not contacted.
  if (machines.every(({ state }) => state === 'unverified' || state === 'absent')) return 'UNKNOWN'
  return etcd.members === 0 || !machines.some(({ ready }) => ready) ? 'DOWN' : 'DEGRADED'
}
