import type { Severity } from './finding.js'

/** How bad a measured value is; `undefined` below both limits. */
export function severityAt(
  value: number,
  limits: { readonly warns: number; readonly blocks: number },
): Severity | undefined {
  if (value >= limits.blocks) return 'blocks'
  return value >= limits.warns ? 'warns' : undefined
}

/** Of something that has no size, nothing is used. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}

/** `93 %`. */
export function percentText(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** `45 min`, `3 h`, `12 days`. */
export function timeText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
