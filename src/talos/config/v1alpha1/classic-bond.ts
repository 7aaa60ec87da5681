import type { ConfigObject } from '../config-value.js'
import type { Contract } from '../contract.js'
import type { Link } from '../talos-machine.js'
import { memberSelector } from './device-selector.js'

/** Options whose names in v1alpha1 differ from those in `BondConfig`. */
const classicSpelling: Readonly<Record<string, string>> = {
  resendIGMP: 'resendIgmp',
  tlbLogicalLb: 'tlbDynamicLb',
  peerNotifDelay: 'peerNotifyDelay',
}

/** `bond` of an interface in v1alpha1. */
export function classicBond(link: Link, bond: NonNullable<Link['bond']>, contract: Contract): ConfigObject {
  const members = [link.select, ...bond.members]
  return {
    deviceSelectors: members.map((member) => memberSelector(member, contract.minor >= 9)),
    mode: bond.mode,
    ...Object.fromEntries(Object.entries(bond.options).map(([key, value]) => [classicSpelling[key] ?? key, value])),
  }
}
