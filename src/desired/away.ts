import type { Machine } from '../cluster/machine.js'
import type { Observed } from '../observe/observed.js'
import type { DesiredAway } from './desired.js'

/**
 * Wanted machines whose VM is, or may be, on a host that does not answer. They are neither worked on nor recreated
 * elsewhere: when the host comes back there would be two of them.
 */
export function machinesAway(machines: readonly Machine[], { machines: seen, unverified }: Observed): DesiredAway[] {
  const there = new Set(seen.map(({ name }) => name))
  const away = unverified.filter(({ because }) => because === 'away')
  const isUnsure = away.some(({ isGuess }) => isGuess)
  const [first] = away
  return machines.flatMap((machine): DesiredAway[] => {
    if (there.has(machine.name)) return []
    const holder = away.find(({ holds }) => holds === machine.name) ?? (isUnsure ? first : undefined)
    return holder === undefined ? [] : [{ machine, host: holder.host, vmid: holder.vmid }]
  })
}
