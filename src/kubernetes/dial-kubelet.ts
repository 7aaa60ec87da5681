import { KubernetesError, unreachable } from './kubernetes-error.js'
import type { Transport } from './transport.js'

/** An API server waits 30 s if packets are dropped. */
const patienceMs = 10_000

/**
 * An API server opens a new connection for a request that upgrades its protocol; other requests share one. The 404 of the kubelet
 * is the proof.
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

/** Errors of the API server are a Status, those of the kubelet are not; a TLS error means that the connection was opened. */
function isOfKubelet(thrown: unknown): boolean {
  if (!(thrown instanceof KubernetesError) || thrown.status === undefined) return false
  const isPassedOn = thrown.reason === `Status${thrown.status}`
  return isPassedOn || /invalid upgrade response|\btls: |x509: /.test(thrown.message)
}
