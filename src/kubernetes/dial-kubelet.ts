import { KubernetesError, unreachable } from './kubernetes-error.js'
import type { Transport } from './transport.js'

/** An API server waits half a minute for a kubelet whose packets are dropped. */
const patienceMs = 10_000

/**
 * The API server opens a connection of its own for a request that asks for another protocol; all others share one. The kubelet
 * does not know the page: that it says so is the proof.
 */
export async function dialKubelet(
  transport: Transport,
  from: string,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  const call = {
    method: 'GET',
    path: `/api/v1/nodes/${node}/proxy/ichor`,
    headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    verb: 'reach',
    object: `the kubelet of ${node} from ${from}`,
  } as const
  const patience = AbortSignal.timeout(patienceMs)
  try {
    await transport.text(call, AbortSignal.any([signal, patience]))
  } catch (thrown) {
    if (isOfKubelet(thrown)) return
    if (signal.aborted || !patience.aborted) throw thrown
    throw unreachable({ ...call, where: call.path }, new Error(`no answer within ${patienceMs / 1000} s`))
  }
}

/** The API server answers with a Status, which the kubelet does not; one about TLS came after the connection. */
function isOfKubelet(thrown: unknown): boolean {
  if (!(thrown instanceof KubernetesError) || thrown.status === undefined) return false
  const isPassedOn = thrown.reason === `Status${thrown.status}`
  return isPassedOn || /invalid upgrade response|\btls: |x509: /.test(thrown.message)
}
