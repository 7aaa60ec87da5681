import type { TalosMachine } from './machine.js'

const toleratedMs = 60_000

/** A connected NIC finds a time server. Without one, time counts as synced only if synchronization is off. */
export function isTimeSynced({ clockSkewMs, networkFacts, hardware }: TalosMachine): boolean {
  if (networkFacts?.isTimeSyncDisabled === true) return true
  const isPlugged = hardware.nics.some(({ linkDown, isIsolated = false }) => !linkDown && !isIsolated)
  return isPlugged && Math.abs(clockSkewMs) <= toleratedMs
}
