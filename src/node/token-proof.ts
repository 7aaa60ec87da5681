import { isUnfinished, type RotationPhase } from '../cluster/rotation.js'
import { keyIdIn, keyIdOf, madeAt, signedAgain } from '../talos/clientconfig/service-account-token.js'
import type { WorkContext } from '../work/work-context.js'
import { kubernetesApi } from './kubernetes-api.js'
import { getAddress } from './node-address.js'

/** Exists in every cluster and has no permissions. */
const account = { namespace: 'kube-system', name: 'default' }
const kubernetesPort = 6443

/**
 * Whether the API server of a machine is in this phase. `accept`: it accepts a token signed with the new key. `issue`:
 * it signs with the new key. `drop`: it no longer accepts a token signed with the old key. The tokens have the same
 * claims as one of its own.
 */
export async function tokenProof(
  phase: RotationPhase,
  context: WorkContext,
): Promise<(machine: string) => Promise<boolean>> {
  const { old, fresh } = await serviceAccountKeys(context)
  return async (machine) => {
    const endpoint = { host: await getAddress(machine, context), port: kubernetesPort }
    const own = await context.kubernetes.at([endpoint]).requestToken(account.namespace, account.name, context.signal)
    const takes = (key: string) => context.kubernetes.takesToken(endpoint, signedAgain(own, key), context.signal)
    if (!(await takes(fresh))) return false
    if (phase === 'accept') return true
    return keyIdIn(own) === keyIdOf(fresh) && (phase !== 'drop' || !(await takes(old)))
  }
}

/** The time by the clock of the cluster, not of this computer. */
export async function clusterTime(context: WorkContext): Promise<number> {
  const api = await kubernetesApi(context)
  return madeAt(await api.requestToken(account.namespace, account.name, context.signal))
}

/** The old and the new key, whichever signs now. */
export async function serviceAccountKeys({
  secrets,
}: WorkContext): Promise<{ readonly old: string; readonly fresh: string }> {
  const file = await secrets.find()
  const rotation = file?.memory.rotation
  if (file === undefined || !isUnfinished(rotation) || rotation.other === undefined)
    throw new Error('no rotation is under way')
  const { key: signing } = file.bundle.certs.k8sserviceaccount
  const { key: other } = rotation.other
  return rotation.phase === 'accept' ? { old: signing, fresh: other } : { old: other, fresh: signing }
}
