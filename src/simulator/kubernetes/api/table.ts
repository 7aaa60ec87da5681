import { type JsonMap, mapAt, mapsAt, numberAt, type StoredObject, textAt } from '../object.js'
import type { Resource } from '../resources.js'

type Cell = string | number
interface Column {
  readonly name: string
  readonly cell: (object: StoredObject, now: number) => Cell
}

const name: Column = { name: 'Name', cell: (object) => object.metadata.name }
const age: Column = { name: 'Age', cell: (object, now) => since(object.metadata.creationTimestamp, now) }

/** The output of `kubectl get`, as the server's `Table`. */
export function tableOf(resource: Resource, objects: readonly StoredObject[], metadata: JsonMap, now: number): object {
  const columns = [name, ...(columnsByKind[resource.kind] ?? []), age]
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map((column) => ({
      name: column.name,
      type: 'string',
      format: column === name ? 'name' : '',
      description: column.name,
      priority: 0,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, now)),
      object: partialOf(object),
    })),
  }
}

/** An object with only its metadata. */
export function partialOf(object: StoredObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}

const columnsByKind: Readonly<Record<string, readonly Column[]>> = {
  Node: [
    { name: 'Status', cell: nodeStatus },
    { name: 'Roles', cell: nodeRoles },
    { name: 'Version', cell: (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? '' },
  ],
  Pod: [
    { name: 'Ready', cell: podReadiness },
    { name: 'Status', cell: (pod) => (pod.metadata.deletionTimestamp ? 'Terminating' : podStatus(pod)) },
    { name: 'Restarts', cell: (pod) => numberAt(mapsAt(pod, 'status', 'containerStatuses')[0], 'restartCount') ?? 0 },
  ],
  Deployment: [
    {
      name: 'Ready',
      cell: (one) => `${numberAt(one, 'status', 'readyReplicas') ?? 0}/${numberAt(one, 'spec', 'replicas') ?? 0}`,
    },
    { name: 'Up-to-date', cell: (one) => numberAt(one, 'status', 'updatedReplicas') ?? 0 },
    { name: 'Available', cell: (one) => numberAt(one, 'status', 'availableReplicas') ?? 0 },
  ],
  StatefulSet: [
    {
      name: 'Ready',
      cell: (one) => `${numberAt(one, 'status', 'readyReplicas') ?? 0}/${numberAt(one, 'spec', 'replicas') ?? 0}`,
    },
  ],
  DaemonSet: [
    { name: 'Desired', cell: (one) => numberAt(one, 'status', 'desiredNumberScheduled') ?? 0 },
    { name: 'Current', cell: (one) => numberAt(one, 'status', 'currentNumberScheduled') ?? 0 },
    { name: 'Ready', cell: (one) => numberAt(one, 'status', 'numberReady') ?? 0 },
  ],
  Job: [
    { name: 'Status', cell: jobStatus },
    {
      name: 'Completions',
      cell: (one) => `${numberAt(one, 'status', 'succeeded') ?? 0}/${numberAt(one, 'spec', 'completions') ?? 1}`,
    },
  ],
  Namespace: [{ name: 'Status', cell: (one) => textAt(one, 'status', 'phase') ?? '' }],
  ConfigMap: [{ name: 'Data', cell: (one) => Object.keys(mapAt(one, 'data')).length }],
  Secret: [
    { name: 'Type', cell: (one) => textAt(one, 'type') ?? '' },
    { name: 'Data', cell: (one) => Object.keys(mapAt(one, 'data')).length },
  ],
  Service: [
    { name: 'Type', cell: (one) => textAt(one, 'spec', 'type') ?? '' },
    { name: 'Cluster-IP', cell: (one) => textAt(one, 'spec', 'clusterIP') ?? '<none>' },
  ],
  CertificateSigningRequest: [
    { name: 'SignerName', cell: (one) => textAt(one, 'spec', 'signerName') ?? '' },
    { name: 'Requestor', cell: (one) => textAt(one, 'spec', 'username') ?? '' },
    { name: 'Condition', cell: csrCondition },
  ],
}

function isTrue(object: unknown, type: string): boolean {
  return mapsAt(object, 'status', 'conditions').some((one) => one.type === type && one.status === 'True')
}

function nodeStatus(node: StoredObject): string {
  const ready = mapsAt(node, 'status', 'conditions').find((one) => one.type === 'Ready')?.status
  const word = ready === 'True' ? 'Ready' : ready === 'False' || ready === 'Unknown' ? 'NotReady' : 'Unknown'
  return mapAt(node, 'spec').unschedulable === true ? `${word},SchedulingDisabled` : word
}

function nodeRoles(node: StoredObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.keys(node.metadata.labels ?? {}).filter((label) => label.startsWith(prefix))
  return roles.length === 0
    ? '<none>'
    : roles
        .map((label) => label.slice(prefix.length))
        .sort()
        .join(',')
}

function podReadiness(pod: StoredObject): string {
  const total = mapsAt(pod, 'spec', 'containers').length
  const ready = mapsAt(pod, 'status', 'containerStatuses').filter((one) => one.ready === true).length
  return `${ready}/${total}`
}

/** The phase, or why its first container waits: `ImagePullBackOff`. */
function podStatus(pod: StoredObject): string {
  const waiting = textAt(mapsAt(pod, 'status', 'containerStatuses')[0], 'state', 'waiting', 'reason')
  const phase = textAt(pod, 'status', 'phase') ?? 'Unknown'
  return waiting ?? (phase === 'Succeeded' ? 'Completed' : phase === 'Failed' ? 'Error' : phase)
}

function jobStatus(job: StoredObject): string {
  return isTrue(job, 'Complete') ? 'Complete' : isTrue(job, 'Failed') ? 'Failed' : 'Running'
}

function csrCondition(csr: StoredObject): string {
  const states = mapsAt(csr, 'status', 'conditions').map((one) => String(one.type))
  if (textAt(csr, 'status', 'certificate') !== undefined) states.push('Issued')
  return states.length === 0 ? 'Pending' : states.join(',')
}

function since(stamp: string | undefined, now: number): string {
  if (stamp === undefined) return '<unknown>'
  const seconds = Math.max(0, Math.floor((now - Date.parse(stamp)) / 1000))
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`
}
