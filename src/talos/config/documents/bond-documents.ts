import type { ConfigObject, ConfigValue } from '../config-value.js'
import type { Link } from '../talos-machine.js'
import { linkAlias } from './link-alias.js'
import { newDocument } from './new-document.js'

/** Options whose names in v1alpha1 differ from those in `BondConfig`. */
const spelling: Readonly<Record<string, string>> = {
  resendIgmp: 'resendIGMP',
  tlbDynamicLb: 'tlbLogicalLb',
  peerNotifyDelay: 'peerNotifDelay',
  arpIPTarget: 'arpIpTargets',
}

/** A bond, and an alias for each of its members. */
export function bondDocuments(
  name: string,
  first: Link['select'],
  bond: NonNullable<Link['bond']>,
  common: Readonly<Record<string, ConfigValue | undefined>>,
): ConfigObject[] {
  const members = [first, ...bond.members].map((select, index) => ({ alias: `${name}p${index}`, select }))
  const options = Object.entries(bond.options).map(([key, value]) => [spelling[key] ?? key, value])
  return [
    ...members.map(({ alias, select }) => linkAlias(alias, select)),
    newDocument('BondConfig', {
      name,
      links: members.map(({ alias }) => alias),
      bondMode: bond.mode,
      ...Object.fromEntries(options),
      ...common,
    }),
  ]
}
