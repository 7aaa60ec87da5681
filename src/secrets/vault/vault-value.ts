import { SecretsError } from '../secrets-error.js'
import type { Environment } from '../sops/age-keys.js'
import { openVaultPath } from './vault.js'
import { vaultHomeFrom } from './vault-home.js'

/** One value of a path in Vault, such as a Proxmox token: `vault://secret/proxmox#token_secret`. */
export async function readVaultValue(reference: string, env: Environment): Promise<string> {
  const [place = '', field = ''] = reference.split('#')
  const value = (await openVaultPath(vaultHomeFrom(place, env)).find())?.values[field]
  if (value !== undefined) return value
  throw new SecretsError(`Vault has no ${field === '' ? 'value without a name' : field} there.`, {
    where: reference,
    fix: 'Write vault://mount/path#name, and check with `vault kv get`.',
  })
}

/** Writes one value of a path; other values and concurrent writes are kept. */
export async function writeVaultValue(reference: string, value: string, env: Environment): Promise<void> {
  const [place = '', field = ''] = reference.split('#')
  const vault = openVaultPath(vaultHomeFrom(place, env))
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const entry = await vault.find()
    if (await vault.writeIf(entry?.version ?? 0, { ...entry?.values, [field]: value })) return
  }
  throw new SecretsError('This path in Vault keeps being changed by another process.', {
    where: reference,
    fix: 'Look with `vault kv get`, and run the command again.',
  })
}

const maxAttempts = 5
