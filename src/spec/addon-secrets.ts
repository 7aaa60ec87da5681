import { readFile } from 'node:fs/promises'
import { catalogue } from '../addons/catalogue.js'
import { FileError, reasonOf } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { resolveFile } from '../inventory/referenced-files.js'
import { resolveSecretRef } from '../inventory/resolve-secret.js'
import type { SecretRef } from '../inventory/secret-ref.js'
import { readVaultValue } from '../secrets/vault/vault-value.js'
import type { SpecOptions } from './load-spec.js'

const inLab = 'made-up-for-the-lab'

/** By `addon.purpose`: options of the inventory, and the tokens that `ichor access` put into the secrets file. */
export async function addonSecrets(
  inventory: Inventory,
  { env, world, isLab = false }: SpecOptions,
): Promise<Record<string, string>> {
  const values = (await world.secrets.find())?.memory.values ?? {}
  const found: Record<string, string> = await proxmoxCa(inventory)
  for (const { name, options, identities } of catalogue) {
    const asked = inventory.settings.addons[name] as Readonly<Record<string, unknown>> | undefined
    if (asked === undefined) continue
    for (const key of Object.keys(options).filter(
      (option) => options[option]?.kind === 'secret' && asked[option] !== undefined,
    )) {
      const sources = {
        env,
        folder: inventory.folder,
        values,
        readVault: (place: string) => readVaultValue(place, env),
      }
      const revealed = resolveSecretRef(asked[key] as SecretRef, sources)
      found[`${name}.${key}`] = isLab ? await revealed.catch(() => inLab) : await revealed
    }
    if (identities.length > 0) Object.assign(found, tokensOf(name, values, isLab, inventory))
  }
  return found
}

/** No secret, but a file as well: the authority of Proxmox, for controllers that talk to it. */
async function proxmoxCa({ settings, folder, where }: Inventory): Promise<Record<string, string>> {
  const { ca } = settings.proxmox
  if (ca === undefined) return {}
  const pem = await readFile(resolveFile(folder, ca), 'utf8').catch((thrown: unknown) => {
    const place = { where: where('proxmox.ca'), fix: 'Write the path of a CA certificate in PEM.' }
    throw new FileError(`The CA certificate ${ca} cannot be read: ${reasonOf(thrown)}.`, place)
  })
  return { 'proxmox.ca': pem }
}

function tokensOf(
  addon: string,
  values: Readonly<Record<string, string>>,
  isLab: boolean,
  { where }: Inventory,
): Record<string, string> {
  const id = values[`${addon}.token_id`]
  const secret = values[`${addon}.token_secret`]
  if (id !== undefined && secret !== undefined) return { [`${addon}.token_id`]: id, [`${addon}.token_secret`]: secret }
  if (isLab) return { [`${addon}.token_id`]: `${inLab}@pve!lab`, [`${addon}.token_secret`]: inLab }
  throw new FileError(`${addon} needs a user and a token on Proxmox, and the secrets file holds none.`, {
    where: where(`addons.${addon}`),
    fix: 'Run ichor access: it makes them with the least privileges, and keeps their values in the secrets file.',
  })
}
