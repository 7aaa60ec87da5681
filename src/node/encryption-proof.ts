import { canonicalJson } from '../cluster/canonical.js'
import { findEtcdEncryption } from '../cluster/etcd-encryption.js'
import { recordOf } from '../cluster/object-fields.js'
import type { WorkContext } from '../work/work-context.js'
import { getAddress } from './node-address.js'
import { findStaticPod } from './static-pod.js'
import { wantedTalos } from './talos-config.js'

const kubernetesPort = 6443

/**
 * Whether the API server of a machine was started with the keys of its config and reads every Secret. API servers do
 * not report their keys, so Talos is queried: the keys have arrived, they were written for its pods after that, and the
 * pod that is ready now was started for them.
 */
export function encryptionProof(context: WorkContext): (machine: string) => Promise<boolean> {
  return async (machine) => {
    const address = await getAddress(machine, context)
    const written = await findWrittenSecrets(machine, address, context)
    if (written === undefined) return false
    const pod = await findStaticPod(machine, 'kube-apiserver', context)
    if (pod?.isReady !== true || pod.secretsVersion !== written) return false
    const own = context.kubernetes.at([{ host: address, port: kubernetesPort }])
    await own.list({ apiVersion: 'v1', kind: 'Secret' }, undefined, {}, context.signal)
    return true
  }
}

/** The version under which Talos wrote the wanted keys for its static pods, or `undefined` until it has. */
async function findWrittenSecrets(machine: string, address: string, context: WorkContext): Promise<string | undefined> {
  const { resources } = context.talos.node({ machine, address })
  const find = (type: string, namespace: string, id: string) => resources.find(type, namespace, id, context.signal)
  const root = await find('KubernetesRootSecrets.secrets.talos.dev', 'secrets', 'k8s')
  const status = await find('SecretStatuses.kubernetes.talos.dev', 'controlplane', 'static-pods')
  const { etcdEncryptionConfig: arrived } = recordOf(root?.spec)
  const wanted = findEtcdEncryption(wantedTalos(machine, context).config)
  if (root === undefined || canonicalJson(arrived) !== canonicalJson(wanted)) return undefined
  const { ready, version } = recordOf(status?.spec)
  const isWritten = ready === true && (status?.updatedAt ?? 0) >= (root.updatedAt ?? 0)
  return isWritten ? String(version) : undefined
}
