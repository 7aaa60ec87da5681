import type { Observed } from '../../observe/observed.js'
import type { World } from '../../world.js'

/** A control plane whose API server cannot decrypt what lies in etcd. */
export interface UnreadableSecrets {
  readonly machine: string
  readonly why: string
}

const patienceMs = 8000

/** Nodes can be Ready while no Secret can be read. Control planes that do not answer are reported elsewhere. */
export async function findUnreadableSecrets(
  { machines }: Pick<Observed, 'machines'>,
  { kubernetes }: Pick<World, 'kubernetes'>,
  signal: AbortSignal,
): Promise<UnreadableSecrets[]> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const asked = machines.map(async ({ name, mark, talos, address }) => {
    if (mark.role !== 'controlplane' || talos.reach !== 'secured' || address === undefined) return []
    const api = kubernetes.at([{ host: address, port: 6443 }])
    const why = await api.findSecretsProblem(patience).catch(() => undefined)
    return why === undefined ? [] : [{ machine: name, why }]
  })
  return (await Promise.all(asked)).flat()
}
