import { parseDocument } from 'yaml'
import { formatSecretsFile, parseSecretsFile } from '../bundle-file.js'
import { applyMemory } from '../sealed-text.js'
import { SecretsError } from '../secrets-error.js'
import { yamlForm } from '../sops/sops-document.js'
import type { SecretsStore } from '../store.js'
import { openVaultPath } from './vault.js'
import type { VaultHome } from './vault-home.js'

export type { VaultHome } from './vault-home.js'

/** The name under which the whole file stands in Vault, so that a person finds what talosctl reads. */
const fieldName = 'secrets.yaml'

/** Secrets in a KV v2 engine. Every write names the version that it replaces. */
export function createVaultStore(home: VaultHome): SecretsStore {
  const vault = openVaultPath(home)
  const { location } = vault
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
    remember: async (change) => {
      const entry = await vault.find()
      const document = parseDocument(entry?.values[fieldName] ?? '')
      applyMemory(document, change)
      const values = { ...entry?.values, [fieldName]: document.toString(yamlForm) }
      if (entry !== undefined && (await vault.writeIf(entry.version, values))) return
      throw new SecretsError('The secrets in Vault are gone, or were changed by somebody else in the same moment.', {
        where: location,
        fix: 'Run the command again.',
      })
    },
    remove: () => vault.remove(),
  }
}
