import { mapsAt, textAt } from '../object.js'
import { hasServingCertificate } from '../serving-certificates.js'
import { notFound, StatusError } from '../status-error.js'
import type { Answer, Call } from './call.js'

/** The API server queries the node's kubelet, which cannot respond while its serving certificate is unsigned. */
export function answerLog({ state, query }: Call, namespace: string, name: string): Answer {
  const pod = state.objects.find('pods', namespace, name)
  if (pod === undefined) throw notFound({ plural: 'pods', group: '' }, name)
  const node = textAt(pod, 'spec', 'nodeName') ?? ''
  const kubelet = state.kubelets.get(node)
  const container = query.get('container') ?? textAt(mapsAt(pod, 'spec', 'containers')[0], 'name')
  const address = `https://${kubelet?.options.addresses[0] ?? node}:10250/containerLogs/${namespace}/${name}/${container}`
  if (kubelet === undefined)
    throw new StatusError(500, 'InternalError', `Get "${address}": dial tcp: connect: no route to host`)
  if (kubelet.options.rotateServerCertificates && !hasServingCertificate(state, node))
    throw new StatusError(500, 'InternalError', `Get "${address}": remote error: tls: internal error`)
  if (textAt(mapsAt(pod, 'status', 'containerStatuses')[0], 'state', 'waiting', 'reason') !== undefined)
    throw new StatusError(400, 'BadRequest', `container "${container}" in pod "${name}" is waiting to start`)
  const lines = state.logs.get(`${namespace}/${name}`) ?? []
  const tail = query.get('tailLines')
  const shown = tail === null ? lines : lines.slice(-Number(tail))
  return { status: 200, body: shown.map((line) => `${line}\n`).join('') }
}
