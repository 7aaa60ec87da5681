import { groupComment } from '../cluster/tag.js'

/** On every host, Proxmox opens its own ports to the members of this IP set. */
export const management = 'management'

/**
 * What ichor has done to the datacenter firewall: prepared it, switched it on under test, or switched it on
 * permanently.
 */
export type HostFirewallState = 'none' | 'ready' | 'tried' | 'enabled'

const words = {
  ready: 'hosts',
  tried: 'hosts, firewall tried',
  enabled: 'hosts, firewall enabled',
} as const satisfies Record<Exclude<HostFirewallState, 'none'>, string>

/** An IP set of the cluster for the addresses of the hosts. Its comment records its owner and that of the switch. */
export interface HostSet {
  readonly name: string
  readonly comment: string
  commentOf(state: keyof typeof words): string
  stateOf(comment: string | undefined): HostFirewallState
}

export function hostSetOf(clusterName: string, id: string): HostSet {
  const comment = groupComment(clusterName, id)
  return {
    name: `ichor-hosts-${id}`,
    comment,
    commentOf: (state) => `${comment} ${words[state]}`,
    stateOf: (text) =>
      (['ready', 'tried', 'enabled'] as const).find((state) => text === `${comment} ${words[state]}`) ?? 'none',
  }
}

interface Rule {
  readonly match: Readonly<Record<string, string>>
}

/** The rule that lets the hosts reach each other. */
export function isHostRule({ match }: Rule, { name, comment }: Pick<HostSet, 'name' | 'comment'>): boolean {
  return match.comment === comment && (match.source ?? '').endsWith(name)
}
