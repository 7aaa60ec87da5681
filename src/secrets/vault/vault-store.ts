import { parseDocument } from 'yaml'
import type { SecretsChange } from '../bundle.js'
import { formatSecretsFile, parseSecretsFile } from '../bundle-file.js'
import { createTurns } from '../in-turn.js'
import { applyChange } from '../sealed-text.js'
import { SecretsError } from '../secrets-error.js'
import { yamlForm } from '../sops/sops-document.js'
import type { SecretsStore } from '../store.js'
import { openVaultPath, type VaultPath } from './vault.js'
import type { VaultHome } from './vault-home.js'

export type { VaultHome } from './vault-home.js'

/** The field name of the whole file in Vault, so that users recognise the file for talosctl. */
const fieldName = 'secrets.yaml'

/** Secrets in a KV v2 engine. Every write names the version that it replaces. */
export function createVaultStore(home: VaultHome): SecretsStore {
  const vault = openVaultPath(home)
  const { location } = vault
  const inTurn = createTurns()
  return {
    location,
    find: async () => {
      const text = (await vault.find())?.values[fieldName]
      return text === undefined ? undefined : parseSecretsFile(text, location)
    },
    create: async (file) => {
      const text = formatSecretsFile(file)
      parseSecretsFile(text, location)
      if (await vault.writeIf(0, { [fieldName]: text })) return
      throw new SecretsError('There are secrets already.', {
        where: location,
        fix: 'Use them, or choose another path if they belong to another cluster.',
      })
    },
    remember: (change) => inTurn(() => remember(vault, change)),
    remove: () => vault.remove(),
  }
}

/** A concurrent write is not lost: the change is applied again on top of it. */
async function remember(vault: VaultPath, change: SecretsChange): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const entry = await vault.find()
    const text = entry?.values[fieldName]
    if (entry === undefined || text === undefined) break
    const document = parseDocument(text)
    applyChange(document, change)
    if (await vault.writeIf(entry.version, { ...entry.values, [fieldName]: document.toString(yamlForm) })) return
  }
  throw new SecretsError('The secrets in Vault were deleted, or are being changed by another process.', {
    where: vault.location,
    fix: 'Look with `vault kv get`, and run the command again.',
  })
}

const maxAttempts = 5
