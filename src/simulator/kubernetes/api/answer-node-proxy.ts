import type { ApiServerOptions } from '../seam.js'
import { notFound, StatusError } from '../status-error.js'
import { authorize } from './authorize.js'
import type { Answer, Call } from './call.js'

const kubeletPort = 10_250
/** How long an API server waits for a connection whose packets are dropped. */
const dialMs = 30_000

/** `/api/v1/nodes/NAME/proxy/...`: the API server dials the kubelet, which knows no such page. */
export async function answerNodeProxy(call: Call, { network, nodeName }: ApiServerOptions, node: string) {
  const { state, user } = call
  authorize(state, user, { verb: 'get', group: '', resource: 'nodes/proxy', namespace: undefined, name: node })
  if (state.objects.find('nodes', undefined, node) === undefined) throw notFound({ plural: 'nodes', group: '' }, node)
  const [from = ''] = state.kubelets.get(nodeName)?.options.addresses ?? []
  const [to] = state.kubelets.get(node)?.options.addresses ?? []
  if (to === undefined) throw failedDial(node, 'connect: no route to host')
  if (!network.canConnect(from, to, kubeletPort)) {
    await state.clock.sleep(dialMs)
    throw failedDial(to, 'i/o timeout')
  }
  return { status: 404, body: '404 page not found\n' } satisfies Answer
}

function failedDial(address: string, reason: string): StatusError {
  return new StatusError(500, 'InternalError', `error dialing backend: dial tcp ${address}:${kubeletPort}: ${reason}`)
}
