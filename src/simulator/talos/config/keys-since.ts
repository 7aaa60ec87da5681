import { isMapping, type MachineConfig } from './documents.js'

/** Keys that are newer than their document: the minor version of Talos that added them, and their path. */
const later: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  v1alpha1: {
    'machine.install.grubUseUKICmdline': 12,
    'machine.network.kubespan.filters.excludeAdvertisedNetworks': 12,
    'cluster.network.cni.flannel.kubeNetworkPoliciesEnabled': 13,
  },
  EthernetConfig: { wakeOnLan: 12 },
  VolumeConfig: {
    mount: 13,
    'mount.disableAccessTime': 14,
    filesystem: 14,
    trim: 14,
    scrub: 14,
    'encryption.allowDiscards': 14,
  },
  UserVolumeConfig: {
    volumeType: 12,
    mount: 13,
    'filesystem.xfs': 14,
    trim: 14,
    scrub: 14,
    'encryption.allowDiscards': 14,
  },
  RawVolumeConfig: { 'encryption.allowDiscards': 14 },
  SwapVolumeConfig: { 'encryption.allowDiscards': 14 },
  ExistingVolumeConfig: { 'mount.disableAccessTime': 13, 'mount.secure': 13, trim: 14, scrub: 14 },
  OOMConfig: { strictCgroupClassOrdering: 13 },
  DHCPv4Config: { ignoreRoutes: 14 },
  ResolverConfig: { hostDNS: 14, 'nameservers.protocol': 14, 'nameservers.tlsServerName': 14 },
  TimeSyncConfig: { 'ntp.useNTS': 14 },
}

/** Keys of the config that this minor version does not know yet. */
export function keysFromTheFuture({ v1alpha1, documents }: MachineConfig, minor: number): string[] {
  const bodies = [{ kind: 'v1alpha1', body: v1alpha1 }, ...documents]
  return bodies.flatMap(({ kind, body }) =>
    Object.entries(later[kind] ?? {})
      .filter(([path, since]) => since > minor && hasPath(body, path.split('.')))
      .map(([path]) => `${kind}: ${path}`),
  )
}

/** Lists on the path are searched. */
function hasPath(value: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path
  if (Array.isArray(value)) return value.some((item) => hasPath(item, path))
  if (key === undefined || !isMapping(value) || !(key in value)) return false
  return rest.length === 0 || hasPath(value[key], rest)
}
