import { readFile } from 'node:fs/promises'
import { catalogue } from '../addons/catalogue.js'
import { FileError, reasonOf } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { resolveFile } from '../inventory/referenced-files.js'
import { resolveSecretRef } from '../inventory/resolve-secret.js'
import type { SecretRef } from '../inventory/secret-ref.js'
import { readVaultValue } from '../secrets/vault/vault-value.js'
import type { World } from '../world.js'
import type { SpecOptions } from './load-spec.js'

type HostCertificate = Awaited<ReturnType<World['proxmox']['hosts']['certificates']>>[number]

const inLab = 'made-up-for-the-lab'

/** By `addon.purpose`: options of the inventory, and the tokens that `ichor access` put into the secrets file. */
export async function addonSecrets(
  inventory: Inventory,
  { env, world, isLab = false }: SpecOptions,
): Promise<Record<string, string>> {
  const values = (await world.secrets.find())?.memory.values ?? {}
  const isAskingProxmox = catalogue.some(
    ({ name, identities }) => identities.length > 0 && inventory.settings.addons[name] !== undefined,
  )
  const found: Record<string, string> = isAskingProxmox ? await proxmoxCa(inventory, world) : {}
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

/**
 * No secret, but handed to the controllers that talk to Proxmox in the same way: the authority that vouches for it. Where ichor
 * trusts a fingerprint, which they cannot, the host is asked on the connection that is trusted by it.
 */
async function proxmoxCa(
  { settings, folder, where }: Inventory,
  { proxmox }: SpecOptions['world'],
): Promise<Record<string, string>> {
  const { ca, insecure, fingerprint } = settings.proxmox
  if (ca === undefined) {
    if (insecure || proxmox === undefined) return {}
    const shown = await proxmox.hosts.certificates('localhost', AbortSignal.timeout(30_000))
    const pem = authorityAmong(shown, fingerprint !== undefined)
    return pem === undefined ? {} : { 'proxmox.ca': pem }
  }
  const pem = await readFile(resolveFile(folder, ca), 'utf8').catch((thrown: unknown) => {
    const place = { where: where('proxmox.ca'), fix: 'Write the path of a CA certificate in PEM.' }
    throw new FileError(`The CA certificate ${ca} cannot be read: ${reasonOf(thrown)}.`, place)
  })
  return { 'proxmox.ca': pem }
}

/** A certificate of the site's own is vouched for by an authority that everybody knows, unless it is pinned or vouches for itself. */
function authorityAmong(shown: readonly HostCertificate[], isPinned: boolean): string | undefined {
  const named = (filename: string) => shown.find((one) => one.filename === filename)
  const own = named('pveproxy-ssl.pem')
  if (own === undefined) return named('pve-root-ca.pem')?.pem
  return isPinned || own.issuer === own.subject ? own.pem : undefined
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
