import { compareVersions, minorOf, parseVersion } from '../../cluster/version.js'
import { reasonOf } from '../../errors.js'
import type { Finding } from '../../findings/finding.js'
import { factoryUnasked } from '../../findings/notes/versions.js'
import { unknownExtension, unknownRelease } from '../../findings/refusals/versions.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { World } from '../../world.js'
import { insteadOf } from './instead-of.js'
import type { MissingName } from './unfit-site.js'

export interface FactoryCheck {
  readonly missing: readonly MissingName[]
  /** What could not be asked. */
  readonly notes: readonly Finding[]
}

const patienceMs = 10_000

/** The Talos version and the extensions of the inventory, if the factory builds its images and does not have them. */
export async function missingInFactory(
  inventory: Inventory,
  { factory }: Pick<World, 'factory'>,
  signal: AbortSignal,
): Promise<FactoryCheck> {
  const { talos, talos_version: wanted } = inventory.settings
  if (talos.iso !== undefined || talos.image_file !== undefined) return { missing: [], notes: [] }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    const versions = await factory.versions(patience)
    if (!versions.includes(wanted)) return { missing: [unknownVersion(wanted, versions)], notes: [] }
    const named = namedExtensions(inventory)
    const known = named.length === 0 ? [] : await factory.extensions(wanted, patience)
    return { missing: unknownExtensions(named, known, inventory), notes: [] }
  } catch (thrown) {
    signal.throwIfAborted()
    return {
      missing: [],
      notes: [
        factoryUnasked.note(
          `The Image Factory could not be asked for its versions and extensions: ${reasonOf(thrown)}`,
          { subject: { kind: 'cluster', name: inventory.settings.cluster_name } },
        ),
      ],
    }
  }
}

function unknownVersion(wanted: string, versions: readonly string[]): MissingName {
  const minor = parseVersion(wanted)
  const same = versions.flatMap((text) => {
    const parsed = parseVersion(text)
    return parsed === undefined || minor === undefined || minorOf(parsed) !== minorOf(minor) ? [] : [{ text, parsed }]
  })
  const newest = same.toSorted((one, other) => compareVersions(other.parsed, one.parsed))[0]?.text
  const fix =
    newest === undefined
      ? `Its newest version is ${versions.at(-1) ?? 'unknown'}.`
      : `The newest of that minor version is ${newest}.`
  return {
    refusal: unknownRelease,
    path: 'talos_version',
    message: `The Image Factory has no Talos ${wanted}.`,
    fix,
  }
}

/** Names of older Talos releases that the factory still takes for those of today. */
const formerNames = new Set(
  ['gasket', 'nonfree-kmod-nvidia', 'nvidia-container-toolkit', 'nvidia-open-gpu-kernel-modules', 'talos-vmtoolsd']
    .concat('usb-modem', 'v4l-uvc', 'xe-guest-utilities', 'i915-ucode', 'amdgpu-firmware')
    .map((name) => `siderolabs/${name}`),
)

interface NamedExtension {
  readonly name: string
  readonly path: string
}

function namedExtensions({ settings: { talos, worker_pools } }: Inventory): NamedExtension[] {
  if (talos.schematic !== undefined) return []
  const of = (names: readonly string[] | undefined, path: string) =>
    (names ?? []).map((name, index) => ({ name, path: `${path}[${index}]` }))
  return [
    ...of(talos.extensions, 'talos.extensions'),
    ...worker_pools.flatMap((pool, index) => of(pool.extensions, `worker_pools[${index}].extensions`)),
  ]
}

function unknownExtensions(
  named: readonly NamedExtension[],
  known: readonly string[],
  inventory: Inventory,
): MissingName[] {
  if (known.length === 0) return []
  return named.flatMap(({ name, path }) => {
    const full = name.includes('/') ? name : `siderolabs/${name}`
    if (known.includes(full) || formerNames.has(full)) return []
    const shown = name.includes('/') ? known : known.map((one) => one.replace(/^siderolabs\//, ''))
    const list = 'Remove it. The factory lists its extensions under Extensions on its web page.'
    const message = `The Image Factory has no extension ${name} for Talos ${inventory.settings.talos_version}.`
    return [{ refusal: unknownExtension, path, message, fix: insteadOf(name, shown, list) }]
  })
}
