import { clusterMarkId } from '../cluster/identity.js'
import { keyRecordOf } from '../ownership/key-record.js'
import { createSealer } from '../ownership/seal.js'
import type { ClusterSpec } from './cluster-spec.js'
import type { DesiredCluster } from './desired.js'

/** What only the secrets hold: the ID in the marks, their seal, and the record of the keys. */
export function identityOf({ secrets }: Pick<ClusterSpec, 'secrets'>): Pick<DesiredCluster, 'id' | 'sealer' | 'keys'> {
  if (secrets === undefined) return {}
  const { cluster } = secrets.bundle
  return { id: clusterMarkId(cluster.id), sealer: createSealer(cluster), keys: keyRecordOf(secrets) }
}
