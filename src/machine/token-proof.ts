import { isUnfinished, type RotationPhase } from '../cluster/rotation.js'
import { keyIdIn, keyIdOf, signToken } from '../talos/clientconfig/service-account-token.js'
import type { World } from '../world.js'
import { kubernetesApi } from './kubernetes-api.js'
import { getAddress } from './node-address.js'
import type { WorkContext } from './work-context.js'

/** It is there in every cluster, and is allowed nothing. */
const account = { namespace: 'kube-system', name: 'default' }
const kubernetesPort = 6443

/**
 * Whether the API server of a machine is in this phase: `accept`, it takes a token of the new key; `issue`, it signs with the
 * new key itself; `drop`, it no longer takes a token of the old key.
 */
export async function tokenProof(
  phase: RotationPhase,
  world: World,
  context: WorkContext,
): Promise<(machine: string) => Promise<boolean>> {
  const { old, fresh } = await serviceAccountKeys(world)
  return async (machine) => {
    const endpoint = { host: await getAddress(machine, world, context), port: kubernetesPort }
    const takes = async (key: string) =>
      world.kubernetes.takesToken(endpoint, await tokenOf(key, world, context), context.signal)
    if (!(await takes(fresh))) return false
    if (phase === 'accept') return true
    if (phase === 'drop') return !(await takes(old))
    const { namespace, name } = account
    const signed = await world.kubernetes.at([endpoint]).requestToken(namespace, name, context.signal)
    return keyIdIn(signed) === keyIdOf(fresh)
  }
}

/** The old and the new one, whichever of them signs now. */
export async function serviceAccountKeys(world: World): Promise<{ readonly old: string; readonly fresh: string }> {
  const file = await world.secrets.find()
  const rotation = file?.memory.rotation
  if (file === undefined || !isUnfinished(rotation) || rotation.other === undefined)
    throw new Error('no rotation is under way')
  const { key: signing } = file.bundle.certs.k8sserviceaccount
  const { key: other } = rotation.other
  return rotation.phase === 'accept' ? { old: signing, fresh: other } : { old: other, fresh: signing }
}

async function tokenOf(key: string, world: World, context: WorkContext): Promise<string> {
  const { namespace, name } = account
  const api = await kubernetesApi(world, context)
  const found = await api.find({ apiVersion: 'v1', kind: 'ServiceAccount' }, namespace, name, context.signal)
  const { uid } = found?.metadata ?? {}
  const { endpoint: issuer } = context.desired.cluster
  if (uid === undefined || issuer === undefined) throw new Error(`there is no service account ${namespace}/${name}`)
  return signToken(key, { issuer, account: { ...account, uid }, now: new Date(world.clock.now()) })
}
