import { createHash } from 'node:crypto'
import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt, valueAt } from '../object.js'
import { type Controller, isReady } from './controller.js'

const attachments = 'volumeattachments.storage.k8s.io'
const attachMs = 2_000

interface Use {
  readonly volume: string
  readonly node: string
  readonly driver: string
}

/**
 * The attach/detach controller and the drivers: a volume is attached to the node of its pod, to one node at a time, and
 * detached when no pod there uses it. While a node is down its volumes stay attached.
 */
export const attachVolumes: Controller = ({ state, now, wakeIn }) => {
  const uses = usesIn(state)
  const wanted = new Map(uses.map((use) => [nameOf(use), use]))
  const existing = state.objects.list(attachments)
  for (const attachment of existing) {
    if (!attachment.metadata.name.startsWith('csi-')) continue
    if (!wanted.has(attachment.metadata.name)) {
      const node = state.objects.find('nodes', undefined, textAt(attachment, 'spec', 'nodeName') ?? '')
      if (node === undefined || isReady(node)) state.objects.remove(attachments, undefined, attachment.metadata.name)
      continue
    }
    if (valueAt(attachment, 'status', 'attached') === true) continue
    const left = Date.parse(attachment.metadata.creationTimestamp ?? '') + attachMs - now
    if (left > 0) wakeIn(left)
    else state.objects.put(attachments, { ...attachment, status: { attached: true } })
  }
  for (const [name, { volume, node, driver }] of wanted) {
    if (existing.some((one) => textAt(one, 'spec', 'source', 'persistentVolumeName') === volume)) continue
    state.objects.put(attachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name, uid: state.nextUid(), creationTimestamp: nowStamp(state) },
      spec: { attacher: driver, nodeName: node, source: { persistentVolumeName: volume } },
      status: { attached: false },
    })
    wakeIn(attachMs)
  }
}

/** Whether the containers of a bound pod may start. */
export function hasItsVolumesAttached(state: ClusterState, pod: StoredObject): boolean {
  return usesOf(state, pod).every(
    (use) => valueAt(state.objects.find(attachments, undefined, nameOf(use)), 'status', 'attached') === true,
  )
}

function usesIn(state: ClusterState): Use[] {
  if (state.objects.list('persistentvolumes').length === 0) return []
  return state.objects.list('pods').flatMap((pod) => usesOf(state, pod))
}

function usesOf(state: ClusterState, pod: StoredObject): Use[] {
  const node = textAt(pod, 'spec', 'nodeName')
  const phase = textAt(pod, 'status', 'phase')
  if (node === undefined || phase === 'Succeeded' || phase === 'Failed') return []
  return mapsAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const claimName = textAt(volume, 'persistentVolumeClaim', 'claimName')
    if (claimName === undefined) return []
    const claim = state.objects.find('persistentvolumeclaims', pod.metadata.namespace, claimName)
    const name = textAt(claim, 'spec', 'volumeName') ?? ''
    const driver = textAt(state.objects.find('persistentvolumes', undefined, name), 'spec', 'csi', 'driver')
    if (driver === undefined) return []
    const registered = state.objects.find('csidrivers.storage.k8s.io', undefined, driver)
    return mapAt(registered, 'spec').attachRequired === false ? [] : [{ volume: name, node, driver }]
  })
}

function nameOf({ volume, node, driver }: Use): string {
  return `csi-${createHash('sha256').update(`${volume}${driver}${node}`).digest('hex')}`
}
