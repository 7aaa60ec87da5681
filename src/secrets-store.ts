import type { Inventory } from './inventory/inventory.js'
import { bindStore } from './secrets/bound-store.js'
import { openClusterLock } from './secrets/cluster-lock.js'
import { openSecretsStore, type SecretsStore } from './secrets/store.js'
import { vaultHomeFrom } from './secrets/vault/vault-home.js'

type OpenStore = Parameters<typeof openSecretsStore>[0]

/** Next to the secrets of the real cluster. */
export const labSecretsFile = 'secrets.lab.sops.yaml'

/** The store of the cluster's secrets. Those of a lab are always separate from the real ones. */
export function secretsStore(
  { folder, settings }: Inventory,
  { env, notify, isLab }: { readonly isLab: boolean } & Pick<OpenStore, 'env' | 'notify'>,
): SecretsStore {
  const { secrets } = settings
  const plain = secrets === 'plain'
  const lock = openClusterLock(folder, isLab)
  if (isLab) return bindStore(openSecretsStore({ folder, fileName: labSecretsFile, env, notify, plain }), lock)
  const vault = secrets.startsWith('vault://') ? { vault: vaultHomeFrom(secrets, env) } : {}
  return bindStore(openSecretsStore({ folder, env, notify, plain, ...vault }), lock)
}
