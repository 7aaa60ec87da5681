import type { FindingDefinition } from '../findings/define-finding.js'
import type { Examination } from '../findings/find-findings.js'
import type { Sample } from './families.js'

/** Every code with its usual severity, so that an alert on it sees it begin and end; others where they occur. */
export function findingSamples(
  cluster: string,
  { findings }: Examination,
  definitions: readonly FindingDefinition[],
): Sample[] {
  const counts = new Map<string, { code: string; severity: string; count: number }>()
  const countOf = ({ code, severity }: { readonly code: string; readonly severity: string }) => {
    const key = `${code} ${severity}`
    const found = counts.get(key) ?? { code, severity, count: 0 }
    counts.set(key, found)
    return found
  }
  for (const definition of definitions) countOf(definition)
  for (const finding of findings) countOf(finding).count++
  return [...counts.values()].map(({ code, severity, count }) => ({
    name: 'findings',
    labels: { cluster, code, severity },
    value: count,
  }))
}
