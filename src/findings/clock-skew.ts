import type { ClockReading } from '../examine/examined.js'

/** How far two clocks are apart at least, whatever the readings missed. */
export function skewOf(one: ClockReading, other: ClockReading): number {
  return Math.max(0, Math.abs(one.offsetMs - other.offsetMs) - one.uncertaintyMs - other.uncertaintyMs)
}

/** From here on TLS, etcd and leases begin to suffer. */
export const skewLimits = { warns: 1000, blocks: 5000 } as const

/** `1.4 s`. */
export function secondsText(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
