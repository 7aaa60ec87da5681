import { netIp, proto } from './proto-spec.js'
import type { ResourceKind } from './resource-kind.js'

/** The CAs, for admins only. */
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
        acceptedCAs: [osCa.crt, ...acceptedOsCas].filter((crt) => crt !== '').map((crt) => ({ crt: base64(crt) })),
        certSANIPs: addresses,
        certSANDNSNames: [hostname, ...certSans],
        token,
      }
      const accepted = [osCa.crt, ...acceptedOsCas].filter((crt) => crt !== '').map(protoCertificate)
      const fields = { 1: protoPair(osCa), 2: addresses.map(netIp), 3: spec.certSANDNSNames, 4: token, 5: accepted }
      return [{ id: 'os', spec, proto: proto(fields) }]
    },
  },
  {
    type: 'KubernetesRootSecrets.secrets.talos.dev',
    namespace: 'secrets',
    isSensitive: true,
    list: ({ facts, minor }) => {
      if (facts?.role !== 'controlplane') return []
      const { clusterName, endpoint, kubernetesCa, acceptedKubernetesCas, etcdEncryption } = facts
      const accepted = [kubernetesCa.crt, ...acceptedKubernetesCas].filter((crt) => crt !== '')
      const spec = {
        name: clusterName,
        endpoint,
        issuingCA: pemPair(kubernetesCa),
        acceptedCAs: accepted.map((crt) => ({ crt: base64(crt) })),
        ...(minor >= 14 && etcdEncryption !== undefined ? { etcdEncryptionConfig: etcdEncryption } : {}),
      }
      const url = proto({ 1: endpoint })
      const fields = {
        1: clusterName,
        2: url,
        3: url,
        6: 'cluster.local',
        7: protoPair(kubernetesCa),
        15: accepted.map(protoCertificate),
      }
      return [{ id: 'k8s', spec, proto: proto(fields) }]
    },
  },
]

function pemPair({ crt, key }: { crt: string; key: string }) {
  return { crt: base64(crt), key: base64(key) }
}

function protoPair({ crt, key }: { crt: string; key: string }): Uint8Array {
  return proto({ 1: Buffer.from(crt), 2: Buffer.from(key) })
}

function protoCertificate(crt: string): Uint8Array {
  return proto({ 1: Buffer.from(crt) })
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
