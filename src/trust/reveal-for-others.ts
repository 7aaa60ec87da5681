import { realpath } from 'node:fs/promises'
import { delimiter, relative, resolve, sep } from 'node:path'
import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { resolveFile } from '../inventory/referenced-files.js'
import { describeRef, resolveSecretRef } from '../inventory/resolve-secret.js'
import type { SecretRef } from '../inventory/secret-ref.js'
import type { SecretUse } from '../inventory/secret-use.js'
import { readVaultValue } from '../secrets/vault/vault-value.js'

export interface OthersSources {
  readonly env: NodeJS.ProcessEnv
  /** Of the secrets file, by name. */
  readonly values: Readonly<Record<string, string>>
}

type Place = Pick<Inventory, 'settings' | 'folder'>

/** Folders outside the inventory from which the operator lets secrets be read. */
const foldersVariable = 'ICHOR_SECRETS_FROM'

/**
 * A secret that is given to an addon, or to a receiver of events. Where it goes is in the same inventory, so it must be
 * none of ichor's own credentials, whatever the inventory refers to.
 */
export async function revealForOthers(
  ref: SecretRef,
  use: Extract<SecretUse, 'addon' | 'watch'>,
  inventory: Place,
  sources: OthersSources,
): Promise<string> {
  if (ref.kind === 'file') await refuseFileElsewhere(ref.path, inventory.folder, sources.env)
  const value = await resolveSecretRef(ref, sourcesFor(use, inventory, sources))
  const own = await ownCredentials(inventory, sources)
  if (!own.some((one) => value.includes(one)) && !holdsKeys(value)) return value
  throw new UsageError(
    'The inventory refers to a credential of ichor itself, which is not given to addons and webhooks.',
    {
      where: describeRef(ref),
      fix: 'Refer to the secret that is meant.',
    },
  )
}

function sourcesFor(use: SecretUse, { folder }: Place, { env, values }: OthersSources) {
  return { env, folder, values, readVault: (place: string) => readVaultValue(place, env), use }
}

/** A secrets file, encrypted or not, or client access. */
function holdsKeys(text: string): boolean {
  return /^\s*trustdinfo:|client-key-data:|^sops:|-----BEGIN ED25519 PRIVATE KEY/m.test(text)
}

const ownVariable =
  /^(AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN)|(VAULT|BAO)_(TOKEN|SECRET_ID))$|(PROXMOX|PVE).*(TOKEN|SECRET|PASSWORD)/i
const ownValue = /^proxmox\.|\.token_secret$/

/** Shorter texts are no credentials, and could be part of anything. */
const minLength = 12

/** Whatever name they have: the token of runs and of controllers, the keys of the backups, the token of Vault. */
async function ownCredentials(inventory: Place, sources: OthersSources): Promise<string[]> {
  const { proxmox, backup } = inventory.settings
  const { access_key, secret_key } = backup.etcd
  const named = [
    ...secretsBy(sources.env, ownVariable),
    ...secretsBy(sources.values, ownValue),
    ...(await Promise.all([
      revealed(proxmox.token_secret, 'proxmox-token', inventory, sources),
      revealed(access_key, 's3-key', inventory, sources),
      revealed(secret_key, 's3-key', inventory, sources),
    ])),
  ]
  return named.flatMap((text) => {
    const secret = text?.trim().replace(/^[^=]*![^=]*=/, '') ?? ''
    return secret.length >= minLength ? [secret] : []
  })
}

function secretsBy(texts: Readonly<Record<string, string | undefined>>, name: RegExp): (string | undefined)[] {
  return Object.entries(texts).flatMap(([one, text]) => (name.test(one) ? [text] : []))
}

/** One that cannot be read is not used by this run. */
async function revealed(
  ref: SecretRef | undefined,
  use: SecretUse,
  inventory: Place,
  sources: OthersSources,
): Promise<string | undefined> {
  if (ref === undefined) return undefined
  return resolveSecretRef(ref, sourcesFor(use, inventory, sources)).catch(() => undefined)
}

async function refuseFileElsewhere(path: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const file = resolveFile(folder, path)
  const real = await realpath(file).catch(() => file)
  const allowed = (env[foldersVariable] ?? '').split(delimiter).filter((one) => one !== '')
  const folders = await Promise.all([folder, ...allowed].map((one) => realpath(resolve(one)).catch(() => one)))
  const [home = '', ...others] = folders
  if (isBelow(home, real) && !isHidden(home, real)) return
  if (others.some((one) => isBelow(one, real))) return
  throw new UsageError(`The inventory refers to a secret in ${path}, which is not a plain file in its folder.`, {
    where: `file:${path}`,
    fix: `Move the file there, use env: or secret:, or set ${foldersVariable} to the folder in the environment of ichor.`,
  })
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === file
}

/** `.git/config` can hold the token of a pipeline. */
function isHidden(folder: string, file: string): boolean {
  return relative(folder, file)
    .split(sep)
    .some((part) => part.startsWith('.'))
}
