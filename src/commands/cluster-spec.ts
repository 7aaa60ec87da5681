import { readFile } from 'node:fs/promises'
import type { PlannedAddon } from '../addons/planned-addon.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import { FileError, reasonOf } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { SecretRef } from '../inventory/secret-ref.js'
import type { ClusterMemory } from '../secrets/bundle.js'
import type { SecretsPort } from '../world.js'

export interface SpecOptions {
  readonly env: NodeJS.ProcessEnv
  readonly world: { readonly secrets: Pick<SecretsPort, 'find'> }
  /** In a lab a secret that is not there is made up: nothing outside ever sees it. */
  readonly isLab: boolean
  readonly until?: ClusterSpec['until']
  readonly newEtcd?: boolean
  readonly mayEnableContent?: boolean
}

const inLab = 'made-up-for-the-lab'

/** The spec behind an inventory: patches and manifests read from their files, secrets behind references looked up. */
export async function loadSpec(inventory: Inventory, options: SpecOptions): Promise<Omit<ClusterSpec, 'secrets'>> {
  const { loadPatches } = await import('../inventory/patches.js')
  const spec = {
    inventory: await withRegistryCas(inventory),
    until: options.until ?? ('healthy' as const),
    newEtcd: options.newEtcd ?? false,
    mayEnableContent: options.mayEnableContent ?? false,
    patches: await loadPatches(inventory),
    addons: await plannedAddons(inventory, options),
  }
  await refuseBadConfigs(spec, (await options.world.secrets.find())?.memory)
  return spec
}

/** A config that cannot be rendered stops a run before its first change, not in the middle. */
async function refuseBadConfigs(spec: Omit<ClusterSpec, 'secrets'>, memory: ClusterMemory | undefined): Promise<void> {
  const { configErrors } = await import('./validate/check-configs.js')
  const [first] = await configErrors(spec, memory)
  if (first !== undefined) throw first
}

/** The inventory names the files of registry CAs; the configs carry what stands in them. */
async function withRegistryCas(inventory: Inventory): Promise<Inventory> {
  const { settings, folder, where } = inventory
  const { resolveFile } = await import('../inventory/referenced-files.js')
  const registries = await Promise.all(
    settings.talos.registries.map(async ({ ca, ...registry }, index) => {
      if (ca === undefined) return registry
      const pem = await readFile(resolveFile(folder, ca), 'utf8').catch((thrown: unknown) => {
        const place = {
          where: where(`talos.registries[${index}].ca`),
          fix: 'Write the path of a CA certificate in PEM.',
        }
        throw new FileError(`The CA certificate ${ca} cannot be read: ${reasonOf(thrown)}.`, place)
      })
      return { ...registry, ca: pem }
    }),
  )
  return { ...inventory, settings: { ...settings, talos: { ...settings.talos, registries } } }
}

async function plannedAddons(inventory: Inventory, options: SpecOptions): Promise<PlannedAddon[]> {
  const { resolveAddons } = await import('../addons/resolve-addons.js')
  const { loadReferences } = await import('../addons/custom.js')
  const { addonContext } = await import('../desired/addon-context.js')
  const context = addonContext(inventory, await addonSecrets(inventory, options))
  const planned = resolveAddons(inventory.settings.addons, context)
  return Promise.all(
    planned.map((addon) => loadReferences(addon, context, (reference) => readReference(reference, inventory))),
  )
}

/** By `addon.purpose`: options of the inventory, and the tokens that `ichor access` put into the secrets file. */
async function addonSecrets(inventory: Inventory, { env, world, isLab }: SpecOptions): Promise<Record<string, string>> {
  const { catalogue } = await import('../addons/catalogue.js')
  const { resolveSecretRef } = await import('../inventory/resolve-secret.js')
  const { readVaultValue } = await import('../secrets/vault/vault-value.js')
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
  const { resolveFile } = await import('../inventory/referenced-files.js')
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

async function readReference(reference: string, { folder, where }: Inventory): Promise<string> {
  const { resolveFile } = await import('../inventory/referenced-files.js')
  try {
    if (!/^https?:\/\//.test(reference)) return await readFile(resolveFile(folder, reference), 'utf8')
    const { fetchText } = await import('../reach/fetch-text.js')
    return await fetchText(reference)
  } catch (thrown) {
    throw new FileError(`The manifest ${reference} cannot be read: ${reasonOf(thrown)}.`, {
      where: where('addons.custom'),
      fix: 'Check the address or path.',
    })
  }
}
