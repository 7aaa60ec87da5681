import type { Inventory } from '../inventory/inventory.js'
import { resolveSecretRef } from '../inventory/resolve-secret.js'
import type { SecretRef } from '../inventory/secret-ref.js'
import type { SecretUse } from '../inventory/secret-use.js'
import type { SecretsStore } from '../secrets/store.js'
import { readVaultValue } from '../secrets/vault/vault-value.js'

export type Reveal = (ref: SecretRef, use: SecretUse) => Promise<string>

/** What the references of an inventory mean. The address of Vault is the environment's alone. */
export function revealer({ folder }: Inventory, store: SecretsStore, env: NodeJS.ProcessEnv): Reveal {
  return async (ref, use) =>
    resolveSecretRef(ref, {
      use,
      env,
      folder,
      values: ref.kind === 'secret' ? ((await store.find())?.memory.values ?? {}) : {},
      readVault: (reference) => readVaultValue(reference, env),
    })
}
