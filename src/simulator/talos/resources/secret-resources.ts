import { proto } from './proto-spec.js'
import type { ResourceKind } from './resource-kind.js'

/** The roots of trust, for admins only. */
export const secretResources: readonly ResourceKind[] = [
  {
    type: 'OSRootSecrets.secrets.talos.dev',
    namespace: 'secrets',
    isSensitive: true,
    list: ({ facts, addresses, hostname }) => {
      if (facts === undefined) return []
      const { osCa, acceptedOsCas, token, certSans } = facts
      const spec = {
        issuingCA: pemPair(osCa),
        acceptedCAs: [osCa.crt, ...acceptedOsCas].map((crt) => ({ crt: base64(crt) })),
        certSANIPs: addresses,
        certSANDNSNames: [hostname, ...certSans],
        token,
      }
      return [{ id: 'os', spec, proto: proto({ 1: protoPair(osCa), 4: token }) }]
    },
  },
  {
    type: 'KubernetesRootSecrets.secrets.talos.dev',
    namespace: 'secrets',
    isSensitive: true,
    list: ({ facts }) => {
      if (facts?.role !== 'controlplane') return []
      const { clusterName, endpoint, kubernetesCa } = facts
      const spec = { name: clusterName, endpoint, issuingCA: pemPair(kubernetesCa) }
      return [{ id: 'k8s', spec, proto: proto({ 1: clusterName, 7: protoPair(kubernetesCa) }) }]
    },
  },
]

function pemPair({ crt, key }: { crt: string; key: string }) {
  return { crt: base64(crt), key: base64(key) }
}

function protoPair({ crt, key }: { crt: string; key: string }): Uint8Array {
  return proto({ 1: Buffer.from(crt), 2: Buffer.from(key) })
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
