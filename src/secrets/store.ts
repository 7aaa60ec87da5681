import { join } from 'node:path'
import type { SecretsChange, SecretsFile } from './bundle.js'
import { createFileStore } from './file-store.js'
import type { Environment } from './sops/age-keys.js'
import { createVaultStore, type VaultHome } from './vault/vault-store.js'

/** The one place where a cluster's secrets are stored. */
export interface SecretsStore {
  /** The file or Vault path, for messages. */
  readonly location: string
  find(): Promise<SecretsFile | undefined>
  /** Fails if there are secrets already: they are never overwritten with others. */
  create(file: SecretsFile): Promise<void>
  /**
   * Changes ichor's memory, and the key that a rotation replaces, in one write; everything else stays, including
   * comments and data key.
   */
  remember(change: SecretsChange): Promise<void>
  remove(): Promise<void>
}

export interface SecretsHome {
  /** The folder of the inventory. */
  readonly folder: string
  /** `secrets.sops.yaml`, or `secrets.lab.sops.yaml` for a lab, which the rules for real files do not apply to. */
  readonly fileName?: string
  readonly env: Environment
  /** Called once if an age key was created. */
  readonly notify: (text: string) => void
  /** Stored unencrypted, as the user requested; the file name has no `.sops`. */
  readonly plain?: boolean
  /** Stored in Vault or OpenBao instead of a file. */
  readonly vault?: VaultHome
}

/** Opens the store of a cluster's secrets; nothing is read or created before the first call. */
export function openSecretsStore(home: SecretsHome): SecretsStore {
  if (home.vault !== undefined) return createVaultStore(home.vault)
  const fileName = home.fileName ?? 'secrets.sops.yaml'
  return createFileStore({
    sealedPath: join(home.folder, fileName),
    plainPath: join(home.folder, fileName.replace('.sops.', '.')),
    plain: home.plain ?? false,
    env: home.env,
    notify: home.notify,
    forMyselfOnly: fileName.includes('.lab.'),
  })
}
