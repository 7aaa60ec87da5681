import type { Piece } from './pieces.js'

/** Why a part of a config is a patch and not a key, by the beginning of its place. */
const reasons: readonly [place: RegExp, why: string][] = [
  [/^machine\.network\b/, 'the network of the machine stays as it was set up'],
  [
    /^(Link|LinkAlias|DHCPv4|DHCPv6|VLAN|Bond|Bridge|Resolver|TimeSync|Hostname|Layer2VIP|StaticHost)\w*Config\b|^(HostnameConfig|LinkConfig|LinkAliasConfig)\b/,
    'the network of the machine stays as it was set up',
  ],
  [/^machine\.install\b/, 'the installer of the former tool; upgrades by ichor use the version in the inventory'],
  [/^machine\.kubelet\.nodeIP\b/, 'the kubelet chooses its address as before'],
  [/\bimage$/, 'the image that runs, in the version that the inventory gives this machine'],
]

export function reasonFor({ document, path }: Pick<Piece, 'document' | 'path'>): string {
  const place = document === 'v1alpha1' ? path.join('.') : document
  return reasons.find(([pattern]) => pattern.test(place))?.[1] ?? 'the inventory has no key for it, or no such value'
}
