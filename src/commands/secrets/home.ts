import { join } from 'node:path'
import { labSecretsFile, secretsStore } from '../../connect.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { KeyRing } from '../../secrets/sealed-text.js'
import type { SecretsStore } from '../../secrets/store.js'
import type { Context } from '../frame/context.js'

/** Where the secrets of an inventory live, and the keys that open them. */
export interface Home {
  readonly store: SecretsStore
  readonly ring: KeyRing
  readonly plainPath: string
  readonly sealedPath: string
}

/** Opens the home of an inventory's secrets, or of those that its lab has. */
export function openHome(inventory: Inventory, { env, stderr }: Context, isLab = false): Home {
  const notify = (text: string) => void stderr.write(`note ${text}\n`)
  return {
    store: secretsStore(inventory, { env, notify, isLab }),
    ring: { env, notify },
    plainPath: join(inventory.folder, 'secrets.yaml'),
    sealedPath: join(inventory.folder, isLab ? labSecretsFile : 'secrets.sops.yaml'),
  }
}
