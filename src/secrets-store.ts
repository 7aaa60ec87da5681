import type { Inventory } from './inventory/inventory.js'
import { bindStore } from './secrets/bound-store.js'
import { openClusterLock } from './secrets/cluster-lock.js'
import { openSecretsStore, type SecretsStore } from './secrets/store.js'
import { vaultHomeFrom } from './secrets/vault/vault-home.js'

type OpenStore = Parameters<typeof openSecretsStore>[0]

/** Beside the secrets of the cluster itself. */
export const labSecretsFile = 'secrets.lab.sops.yaml'

/** The home of the cluster's secrets. Those of a lab are never those of the real cluster. */
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
