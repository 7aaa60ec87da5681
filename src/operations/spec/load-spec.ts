import { readFile } from 'node:fs/promises'
import type { PlannedAddon } from '../../addons/planned-addon.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import type { RunIntent } from '../../desired/run-intent.js'
import { FileError, reasonOf } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { ClusterMemory } from '../../secrets/bundle.js'
import type { SecretsPort } from '../../world.js'
import type { TrustedProxmox } from './proxmox-authority.js'

export interface SpecOptions {
  readonly env: NodeJS.ProcessEnv
  readonly world: {
    readonly secrets: Pick<SecretsPort, 'find' | 'settleAddon'>
    /** Set if Proxmox can be queried. */
    readonly proxmox?: TrustedProxmox
  }
  /** In a lab a missing secret is generated: nothing outside the lab sees it. */
  readonly isLab?: boolean
  readonly until?: ClusterSpec['until']
  readonly intent?: RunIntent
  readonly mayEnableContent?: boolean
}

/** The spec of an inventory: patches and manifests read from their files, secret references resolved. */
export async function loadSpec(inventory: Inventory, options: SpecOptions): Promise<Omit<ClusterSpec, 'secrets'>> {
  const { loadPatches } = await import('../../inventory/patches.js')
  const memory = (await options.world.secrets.find())?.memory
  const spec = {
    inventory: await withRegistryCas(inventory),
    until: options.until ?? ('healthy' as const),
    isLab: options.isLab ?? false,
    intent: options.intent ?? {},
    mayEnableContent: options.mayEnableContent ?? false,
    ...(await lockedIn(inventory, options.isLab ?? false)),
    patches: await loadPatches(inventory),
    addons: await plannedAddons(inventory, options, memory),
  }
  await refuseBadConfigs(spec, memory)
  return spec
}

async function lockedIn({ folder }: Inventory, isLab: boolean): Promise<Pick<ClusterSpec, 'locked'>> {
  const { findPinnedDigests } = await import('../../lock/lock-file.js')
  const locked = await findPinnedDigests(folder, isLab)
  return locked === undefined ? {} : { locked }
}

/** A config that cannot be rendered stops a run before its first change, not half-way. */
async function refuseBadConfigs(spec: Omit<ClusterSpec, 'secrets'>, memory: ClusterMemory | undefined): Promise<void> {
  const { configErrors } = await import('./config-errors.js')
  const [first] = configErrors(spec, memory)
  if (first !== undefined) throw first
}

/** The inventory names the files of registry CAs; the configs contain their contents. */
async function withRegistryCas(inventory: Inventory): Promise<Inventory> {
  const { settings, folder, where } = inventory
  const { resolveFile } = await import('../../inventory/referenced-files.js')
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

async function plannedAddons(
  inventory: Inventory,
  options: SpecOptions,
  memory: ClusterMemory | undefined,
): Promise<PlannedAddon[]> {
  const { resolveAddons } = await import('../../addons/resolve-addons.js')
  const { loadReferences } = await import('../../addons/custom.js')
  const { addonContext } = await import('../../desired/addon-context.js')
  const { addonSecrets } = await import('./addon-secrets.js')
  const context = addonContext(inventory, await addonSecrets(inventory, options, memory?.values))
  const planned = resolveAddons(inventory.settings.addons, context)
  return Promise.all(
    planned.map((addon) => loadReferences(addon, context, (reference) => readReference(reference, inventory))),
  )
}

async function readReference(reference: string, { folder, where }: Inventory): Promise<string> {
  const { resolveFile } = await import('../../inventory/referenced-files.js')
  try {
    if (!/^https?:\/\//.test(reference)) return await readFile(resolveFile(folder, reference), 'utf8')
    const { fetchText } = await import('../../reach/fetch-text.js')
    return await fetchText(reference)
  } catch (thrown) {
    throw new FileError(`The manifest ${reference} cannot be read: ${reasonOf(thrown)}.`, {
      where: where('addons.custom'),
      fix: 'Check the address or path.',
    })
  }
}
