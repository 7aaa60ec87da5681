import type { Lab } from '../simulator/index.js'
import { datacentreStrikes } from './datacentre-strikes.js'
import { machineStrikes, strikeMachine } from './machine-strikes.js'
import type { Strike } from './strike.js'

type MachineKind = keyof typeof machineStrikes
type DatacentreKind = keyof typeof datacentreStrikes

/** All faults of `ichor lab fault --strike`. */
export const strikeKinds = [
  ...(Object.keys(machineStrikes) as MachineKind[]),
  ...(Object.keys(datacentreStrikes) as DatacentreKind[]),
]

export type StrikeKind = MachineKind | DatacentreKind

export async function strikeLab(lab: Lab, kind: StrikeKind, strike: Strike): Promise<void> {
  if (isOfMachine(kind)) await strikeMachine(lab, machineStrikes[kind], strike)
  else await datacentreStrikes[kind](lab, strike)
}

function isOfMachine(kind: StrikeKind): kind is MachineKind {
  return kind in machineStrikes
}
