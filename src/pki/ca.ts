import { createSelfSignedCa, type KeyPair } from './certificate.js'
import type { KeyKind } from './private-key.js'

export type CaKind = 'os' | 'etcd' | 'k8s' | 'k8saggregator'

/** The subjects of Talos's CAs. The aggregator's has none. */
const cas: Readonly<Record<CaKind, { keyKind: KeyKind; organizations: readonly string[] }>> = {
  os: { keyKind: 'ed25519', organizations: ['talos'] },
  etcd: { keyKind: 'p256', organizations: ['etcd'] },
  k8s: { keyKind: 'p256', organizations: ['kubernetes'] },
  k8saggregator: { keyKind: 'p256', organizations: [] },
}

/** A new CA of a cluster, valid for ten years like Talos's own. */
export function createCa(kind: CaKind, { now = new Date() }: { now?: Date } = {}): Promise<KeyPair> {
  return createSelfSignedCa({ ...cas[kind], lifetimeHours: 87_600, now })
}
