import { isUnreadableData } from './kubernetes-error.js'
import { listAll } from './object-calls.js'
import type { Transport } from './transport.js'

/** Why an API server cannot read every Secret: it decrypts each one, and answers with their metadata only. */
export async function findSecretsProblem(transport: Transport, signal: AbortSignal): Promise<string | undefined> {
  const kind = { apiVersion: 'v1', kind: 'Secret' }
  const call = {
    path: '/api/v1/secrets',
    verb: 'decrypt',
    headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
  }
  return listAll(transport, kind, call, {}, signal).then(
    () => undefined,
    (thrown: unknown) => {
      if (isUnreadableData(thrown)) return thrown.message
      throw thrown
    },
  )
}
