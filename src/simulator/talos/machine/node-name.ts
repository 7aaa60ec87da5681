import { createHash } from 'node:crypto'

/** The name that a node generates, `talos-abc-def`, constant while its STATE exists. */
export function stableHostname(nodeId: string): string {
  const number = createHash('sha256').update(nodeId).digest().readBigUInt64BE(0)
  const letters = number.toString(36)
  return `talos-${letters.slice(1, 4)}-${letters.slice(4, 7)}`
}
