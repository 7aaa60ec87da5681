import { expect, test } from 'vitest'
import { newestStart, workloadsUntil } from './old-pods.js'
import type { KubernetesObject } from './port.js'

const access = { name: 'kube-api-access-x', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }] } }

function pod(name: string, startTime: string | undefined, more: object = {}, volumes: object[] = [access]) {
  const metadata = { name, namespace: 'web', ...more }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { volumes }, status: { startTime } } as KubernetesObject
}

const ownedBy = (kind: string, name: string) => ({ ownerReferences: [{ kind, name }] })

test('pods that started before are listed by what restarts them', () => {
  const pods = [
    pod('web-5d4f-a', '2026-11-15T10:00:00Z', ownedBy('ReplicaSet', 'web-5d4f')),
    pod('web-5d4f-b', '2026-11-15T10:00:01Z', ownedBy('ReplicaSet', 'web-5d4f')),
    pod('db-0', '2026-11-15T10:00:02Z', ownedBy('StatefulSet', 'db')),
    pod('alone', '2026-11-15T10:00:03Z'),
  ]
  const until = newestStart(pods)
  expect(until).toBe('2026-11-15T10:00:03Z')
  const later = pod('web-5d4f-c', '2026-11-15T10:00:04Z', ownedBy('ReplicaSet', 'web-5d4f'))
  expect(workloadsUntil([...pods, later], until)).toEqual([
    { kind: 'Deployment', namespace: 'web', name: 'web', pods: 2 },
    { kind: 'StatefulSet', namespace: 'web', name: 'db', pods: 1 },
    { kind: 'Pod', namespace: 'web', name: 'alone', pods: 1 },
  ])
})

test.each([
  ['has not started', pod('new', undefined)],
  ['has no token', pod('pause', '2026-11-15T10:00:00Z', {}, [])],
  [
    'is run by the kubelet',
    pod('api', '2026-11-15T10:00:00Z', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
  ],
])('a pod that %s needs no restart', (_, one) => {
  expect(workloadsUntil([one], '2026-11-15T11:00:00Z')).toEqual([])
})
