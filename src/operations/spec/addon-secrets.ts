import { catalogue } from '../../addons/catalogue.js'
import { FileError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { SecretRef } from '../../inventory/secret-ref.js'
import { revealForOthers } from '../../trust/reveal-for-others.js'
import type { SpecOptions } from './load-spec.js'
import { proxmoxAuthority } from './proxmox-authority.js'

const inLab = 'made-up-for-the-lab'

/** By `addon.purpose`: options of the inventory, and the tokens that `ichor access` stored in the secrets file. */
export async function addonSecrets(
  inventory: Inventory,
  { env, world, isLab = false }: SpecOptions,
  values: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const isAskingProxmox = catalogue.some(
    ({ name, identities }) => identities.length > 0 && inventory.settings.addons[name] !== undefined,
  )
  const authority = isAskingProxmox ? await proxmoxAuthority(inventory, { proxmox: world.proxmox, isLab }) : undefined
  // Not a secret, but passed to them in the same way.
  const found: Record<string, string> = authority === undefined ? {} : { 'proxmox.ca': authority }
  for (const { name, options, identities } of catalogue) {
    const asked = inventory.settings.addons[name] as Readonly<Record<string, unknown>> | undefined
    if (asked === undefined) continue
    for (const [key, option] of Object.entries(options)) {
      if (option.kind !== 'secret' || asked[key] === undefined) continue
      const revealed = revealForOthers(asked[key] as SecretRef, 'addon', inventory, { env, values })
      const credential = isLab ? await revealed.catch(() => inLab) : await revealed
      const address = asked[option.sentTo]
      if (!isLab && typeof address === 'string')
        await world.secrets.settleAddon({ addon: name, address, credential, where: inventory.where(`addons.${name}`) })
      found[`${name}.${key}`] = credential
    }
    if (identities.length > 0) Object.assign(found, tokensOf(name, values, isLab, inventory))
  }
  return found
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
  throw new FileError(`${addon} needs a user and a token on Proxmox, but the secrets file has none.`, {
    where: where(`addons.${addon}`),
    fix: 'Run ichor access: it creates them with the least privileges and stores them in the secrets file.',
  })
}
