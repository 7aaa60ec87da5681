import type { VmRef } from '../../cluster/machine.js'
import type { ConfigChange } from './port.js'

/** Where rules are defined: the datacenter, a host, a VM. */
export type FirewallScope =
  | { readonly kind: 'cluster' }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'vm'; readonly vm: VmRef }

export type RuleList = FirewallScope | { readonly kind: 'group'; readonly group: string }

export interface FirewallCalls {
  options(
    scope: FirewallScope,
    signal: AbortSignal,
  ): Promise<{ options: Readonly<Record<string, string>>; digest: string }>
  setOptions(scope: FirewallScope, change: ConfigChange, signal: AbortSignal): Promise<void>
  /** In order. */
  rules(list: RuleList, signal: AbortSignal): Promise<{ rules: FirewallRule[]; digest: string }>
  /** At the top: Proxmox always puts new rules first. */
  addRule(list: RuleList, rule: FirewallRule, signal: AbortSignal): Promise<void>
  removeRule(list: RuleList, position: number, digest: string, signal: AbortSignal): Promise<void>
  ipsets(scope: FirewallScope, signal: AbortSignal): Promise<{ name: string; comment: string }[]>
  /** `false` if it already exists. */
  createIpset(scope: FirewallScope, name: string, comment: string, signal: AbortSignal): Promise<boolean>
  removeIpset(scope: FirewallScope, name: string, signal: AbortSignal): Promise<void>
  /** Changes the comment; the set and its entries stay. */
  setIpsetComment(scope: FirewallScope, name: string, comment: string, signal: AbortSignal): Promise<void>
  ipsetEntries(scope: FirewallScope, name: string, signal: AbortSignal): Promise<IpsetEntry[]>
  addIpsetEntry(scope: FirewallScope, name: string, entry: IpsetEntry, signal: AbortSignal): Promise<void>
  removeIpsetEntry(scope: FirewallScope, name: string, cidr: string, signal: AbortSignal): Promise<void>
  groups(signal: AbortSignal): Promise<{ name: string; comment: string }[]>
  /** `false` if it already exists. */
  createGroup(name: string, comment: string, signal: AbortSignal): Promise<boolean>
  removeGroup(name: string, signal: AbortSignal): Promise<void>
}

export interface IpsetEntry {
  readonly cidr: string
  readonly comment?: string
}

/** A way back for changes that may lock this computer out. */
export interface HoldCalls {
  /** Keeps one connection open, which carries all calls until `release`, and records which hosts accept new ones. */
  hold(signal: AbortSignal): Promise<{ endpoint: string; local?: string; remote?: string }>
  /** Hosts that accepted a new connection when `hold` was called, and do not now. */
  findLost(signal: AbortSignal): Promise<string[]>
  release(): void
}

export interface FirewallRule {
  readonly type: 'in' | 'out' | 'forward' | 'group'
  /** `ACCEPT`, `DROP`, `REJECT`, or the name of a group. */
  readonly action: string
  readonly enabled: boolean
  /** Everything else (`proto`, `dport`, `source`, `macro`, `comment`, …), with Proxmox's names. */
  readonly match: Readonly<Record<string, string>>
}
