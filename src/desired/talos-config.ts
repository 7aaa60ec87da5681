import { createHash } from 'node:crypto'
import { clusterMarkId } from '../cluster/identity.js'
import type { Machine } from '../cluster/machine.js'
import type { SecretsFile } from '../secrets/bundle.js'
import { diffConfigs, type FieldChange } from '../talos/config/diff.js'
import { renderConfig } from '../talos/config/render.js'
import type { TalosCluster } from '../talos/config/talos-machine.js'
import { cidataIso } from '../talos/image/cidata.js'
import type { ClusterSpec } from './cluster-spec.js'
import type { DesiredTalos } from './desired.js'
import { talosMachine } from './talos-machine.js'

type Inline = TalosCluster['inlineManifests']

/** The config needs the secrets and the endpoint; until both are there it cannot be written. */
export function talosOf(
  machine: Machine,
  endpoint: string | undefined,
  spec: ClusterSpec,
  inline: Inline,
): { talos?: DesiredTalos } {
  const { secrets } = spec
  if (secrets === undefined || endpoint === undefined) return {}
  const configs = configsOf(spec)
  const key = `${machine.name} ${endpoint} ${machine.extensions.join()} ${inline.map(({ name }) => name).join()}`
  const talos = configs.get(key) ?? lazyTalos(machine, endpoint, { ...spec, secrets }, inline)
  configs.set(key, talos)
  return { talos }
}

/** Written when somebody asks for it: most plans of a large fleet never look into most configs. */
function lazyTalos(
  machine: Machine,
  endpoint: string,
  spec: ClusterSpec & { secrets: SecretsFile },
  inline: Inline,
): DesiredTalos {
  let written: { config: string; hash: string } | undefined
  const write = () => {
    const config = renderConfig(talosMachine(machine, endpoint, spec, inline), spec.secrets.bundle)
    return { config, hash: createHash('sha256').update(config).digest('hex').slice(0, 12) }
  }
  const once = () => {
    written ??= write()
    return written
  }
  const id = clusterMarkId(spec.secrets.bundle.cluster.id)
  return {
    get config() {
      return once().config
    },
    get seedName() {
      return `ichor-${id}-${machine.name}-${once().hash}.iso`
    },
    differenceFrom: (active, talosVersion) => {
      const { changes, needsReboot } = diffConfigs(active, once().config, talosVersion)
      return { fields: changes.map(fieldOf), needsReboot }
    },
    seedIso: () =>
      cidataIso({
        userData: once().config,
        metaData: `instance-id: ${machine.identity.uuid}\nlocal-hostname: ${machine.name}\n`,
      }),
  }
}

function fieldOf({ document, path }: FieldChange): string {
  return document === 'v1alpha1' ? path : [document, path].filter((part) => part !== '').join(' ')
}

type Configs = Map<string, DesiredTalos>

/** A plan works the same spec out once a round: its configs are those of the round before. */
let latest:
  | { readonly of: Pick<ClusterSpec, 'inventory' | 'secrets' | 'patches' | 'addons'>; readonly configs: Configs }
  | undefined

function configsOf({ inventory, secrets, patches, addons }: ClusterSpec): Configs {
  const isSame =
    latest !== undefined &&
    latest.of.inventory === inventory &&
    latest.of.secrets === secrets &&
    latest.of.patches === patches &&
    latest.of.addons === addons
  if (!isSame || latest === undefined) latest = { of: { inventory, secrets, patches, addons }, configs: new Map() }
  return latest.configs
}
