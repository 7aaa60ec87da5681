import { createHash } from 'node:crypto'
import { type JsonMap, mapsAt } from '../object.js'

/** What the API server's admission adds to a pod: its token, the CA of the API server and its namespace. */
export function withServiceAccount(spec: JsonMap, pod: string): JsonMap {
  const volumes = mapsAt(spec, 'volumes')
  const hasAccess = volumes.some(({ name }) => String(name).startsWith('kube-api-access-'))
  if (spec.automountServiceAccountToken === false || hasAccess) return spec
  const suffix = createHash('sha256').update(pod).digest('hex').slice(0, 5)
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ]
  const access = { name: `kube-api-access-${suffix}`, projected: { defaultMode: 420, sources } }
  return { serviceAccountName: 'default', ...spec, volumes: [...volumes, access] }
}
