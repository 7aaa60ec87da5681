import type { ClusterState } from '../cluster-state.js'
import { nowStamp } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt, valueAt } from '../object.js'
import { type Controller, conditionOf, withCondition } from './controller.js'

/** Cluster IPs of services, external IPs if a load balancer has a pool, bound claims, aggregated APIs. */
export const serveServices: Controller = ({ state }) => {
  for (const service of state.objects.list('services')) {
    const spec = mapAt(service, 'spec')
    if (spec.clusterIP === undefined && spec.type !== 'ExternalName') giveClusterIp(state, service)
    else if (spec.type === 'LoadBalancer' && mapsAt(service, 'status', 'loadBalancer', 'ingress').length === 0)
      giveOutsideIp(state, service)
  }
  for (const claim of state.objects.list('persistentvolumeclaims'))
    if (textAt(claim, 'status', 'phase') !== 'Bound') bindClaim(state, claim)
  for (const service of state.objects.list('apiservices.apiregistration.k8s.io')) settleApi(state, service)
}

function giveClusterIp(state: ClusterState, service: StoredObject) {
  const [network = '10.96.0.0/12'] = state.facts.serviceSubnets
  const [a, b] = network.split('.')
  const index = state.objects.list('services').findIndex((one) => one.metadata.uid === service.metadata.uid) + 20
  const clusterIP = `${a}.${b}.${Math.floor(index / 250)}.${(index % 250) + 1}`
  state.objects.put('services', { ...service, spec: { ...mapAt(service, 'spec'), clusterIP, clusterIPs: [clusterIP] } })
}

const pools: readonly { resource: string; path: readonly string[]; field: string }[] = [
  { resource: 'ciliumloadbalancerippools.cilium.io', path: ['spec', 'blocks'], field: 'start' },
  { resource: 'ipaddresspools.metallb.io', path: ['spec'], field: 'addresses' },
]

function giveOutsideIp(state: ClusterState, service: StoredObject) {
  const first = pools.flatMap(({ resource, path, field }) =>
    state.objects.list(resource).flatMap((pool) => firstAddress(valueAt(pool, ...path), field) ?? []),
  )[0]
  if (first === undefined) return
  const used = state.objects
    .list('services')
    .filter((one) => mapsAt(one, 'status', 'loadBalancer', 'ingress').length > 0).length
  const ip = first.replace(/\d+$/, (last) => String(Number(last) + used))
  state.objects.put('services', {
    ...service,
    status: { ...mapAt(service, 'status'), loadBalancer: { ingress: [{ ip }] } },
  })
}

function firstAddress(value: unknown, field: string): string | undefined {
  const holder: unknown = Array.isArray(value) ? value[0] : value
  const found = mapAt(holder)[field] ?? mapAt(holder).cidr
  const text = Array.isArray(found) ? String(found[0]) : typeof found === 'string' ? found : undefined
  return text?.split(/[-/]/)[0]
}

/** A claim is bound if its class exists and the driver of that class is registered. */
function bindClaim(state: ClusterState, claim: StoredObject) {
  const classes = state.objects.list('storageclasses.storage.k8s.io')
  const named = textAt(claim, 'spec', 'storageClassName')
  const storageClass = classes.find((one) => (named === undefined ? isDefault(one) : one.metadata.name === named))
  const provisioner = textAt(storageClass, 'provisioner')
  if (storageClass === undefined || provisioner === undefined) return
  if (state.objects.find('csidrivers.storage.k8s.io', undefined, provisioner) === undefined) return
  const volumeName = `pvc-${claim.metadata.uid}`
  const spec = { ...mapAt(claim, 'spec'), volumeName, storageClassName: storageClass.metadata.name }
  state.objects.put('persistentvolumeclaims', { ...claim, spec, status: { phase: 'Bound' } })
  state.objects.put('persistentvolumes', {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName, uid: state.nextUid(), creationTimestamp: nowStamp(state) },
    spec: {
      storageClassName: storageClass.metadata.name,
      csi: { driver: provisioner, volumeHandle: volumeName },
      claimRef: { namespace: claim.metadata.namespace, name: claim.metadata.name },
      persistentVolumeReclaimPolicy: textAt(storageClass, 'reclaimPolicy') ?? 'Delete',
    },
    status: { phase: 'Bound' },
  })
}

function isDefault(storageClass: StoredObject): boolean {
  return storageClass.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
}

function settleApi(state: ClusterState, api: StoredObject) {
  const name = textAt(api, 'spec', 'service', 'name')
  const namespace = textAt(api, 'spec', 'service', 'namespace')
  const backend = state.objects
    .list('deployments.apps')
    .find((one) => one.metadata.name === name && one.metadata.namespace === namespace)
  const isUp = name === undefined || (backend !== undefined && conditionOf(backend, 'Available') === 'True')
  const condition = isUp
    ? { type: 'Available', status: 'True', reason: 'Passed' }
    : { type: 'Available', status: 'False', reason: 'MissingEndpoints' }
  state.objects.put('apiservices.apiregistration.k8s.io', {
    ...api,
    status: { conditions: withCondition(api, condition, nowStamp(state)) },
  })
}
