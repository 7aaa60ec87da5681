import { rotationTargets } from './rotation.js'

/** All keys of a cluster that its nodes hold. */
export const clusterKeys = [
  ...rotationTargets,
  'etcd-ca',
  'aggregator-ca',
  'bootstrap-token',
  'trustd-token',
  'cluster-id',
  'cluster-secret',
] as const

export type ClusterKey = (typeof clusterKeys)[number]

/** For messages. */
export const keyNames: Readonly<Record<ClusterKey, string>> = {
  'talos-ca': 'the Talos CA',
  'kubernetes-ca': 'the Kubernetes CA',
  'service-account-key': 'the service account key',
  'etcd-encryption-key': 'the key of the Secrets in etcd',
  'etcd-ca': 'the etcd CA',
  'aggregator-ca': 'the aggregator CA',
  'bootstrap-token': 'the bootstrap token',
  'trustd-token': 'the trustd token',
  'cluster-id': 'the cluster ID',
  'cluster-secret': 'the cluster secret',
}
