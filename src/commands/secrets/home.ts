import { join } from 'node:path'
import { UsageError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { KeyRing } from '../../secrets/sealed-text.js'
import type { SecretsStore } from '../../secrets/store.js'
import { labSecretsFile, secretsStore } from '../../secrets-store.js'
import type { Context } from '../frame/context.js'

/** Where the secrets of an inventory are stored, and the keys that decrypt them. */
export interface Home {
  readonly store: SecretsStore
  readonly ring: KeyRing
  readonly plainPath: string
  readonly sealedPath: string
}

/** Encrypting, decrypting and changing keys applies to files only: Vault does this itself. */
export function openFileHome(inventory: Inventory, context: Context, isLab = false): Home {
  const { secrets } = inventory.settings
  if (isLab || !secrets.startsWith('vault://')) return openHome(inventory, context, isLab)
  throw new UsageError(`The secrets are kept at ${secrets}, not in a file.`, {
    where: inventory.where('secrets'),
    fix: 'Vault encrypts them by itself: there is nothing to do. To keep them in a file, use ichor secrets show --reveal --out FILE.',
  })
}

/** Opens the secrets store of an inventory, or of its lab. */
export function openHome(inventory: Inventory, { env, stderr }: Context, isLab = false): Home {
  const notify = (text: string) => void stderr.write(`note ${text}\n`)
  return {
    store: secretsStore(inventory, { env, notify, isLab }),
    ring: { env, notify },
    plainPath: join(inventory.folder, 'secrets.yaml'),
    sealedPath: join(inventory.folder, isLab ? labSecretsFile : 'secrets.sops.yaml'),
  }
}
