import { type KubernetesImages, kubernetesImages, withKubernetesImages } from '../cluster/config-images.js'
import type { Machine } from '../cluster/machine.js'
import { hasProbes, withoutProbes } from '../cluster/node-probes.js'
import { isUnfinished } from '../cluster/rotation.js'
import type { Change } from '../events/plan-view.js'
import type { SecretsFile } from '../secrets/bundle.js'
import { changeSentences } from '../talos/config/change-sentences.js'
import { findForeignKeys } from '../talos/config/config-keys.js'
import { diffConfigs, type FieldChange } from '../talos/config/diff.js'
import { isFirewallDocument, withoutRules, withRulesOf } from '../talos/config/firewall-part.js'
import { renderConfig } from '../talos/config/render.js'
import { systemEncryption } from '../talos/config/system-encryption.js'
import type { TalosCluster } from '../talos/config/talos-machine.js'
import { cidataIso } from '../talos/image/cidata.js'
import type { ClusterSpec } from './cluster-spec.js'
import type { DesiredTalos } from './desired.js'
import { talosMachine } from './talos-machine.js'

type Inline = TalosCluster['inlineManifests']

/** The config needs the secrets and the endpoint; it cannot be written before both exist. */
export function talosOf(
  machine: Machine,
  endpoint: string | undefined,
  spec: ClusterSpec,
  inline: Inline,
  kept?: KubernetesImages,
): { talos?: DesiredTalos } {
  const { secrets } = spec
  if (secrets === undefined || endpoint === undefined) return {}
  const configs = configsOf(spec)
  const key = `${machine.name} ${endpoint} ${machine.extensions.join()} ${inline.map(({ name }) => name).join()} ${Object.values(kept ?? {}).join()}`
  const talos = configs.get(key) ?? lazyTalos(machine, endpoint, { ...spec, secrets }, inline, kept)
  configs.set(key, talos)
  return { talos }
}

/** Consent does not depend on it: it is a separate input, which DHCP may provide later. */
const anyEndpoint = 'https://endpoint:6443'

/** Written on demand: most plans of a large fleet never use most configs. */
function lazyTalos(
  machine: Machine,
  endpoint: string,
  spec: ClusterSpec & { secrets: SecretsFile },
  inline: Inline,
  kept: KubernetesImages | undefined,
): DesiredTalos {
  const { firewall } = spec.inventory.settings
  const triesRules = firewall.enabled && firewall.talos
  const render = () => renderConfig(talosMachine(machine, endpoint, spec, inline), spec.secrets.bundle)
  let written: string | undefined
  const write = () => {
    written ??= kept === undefined ? render() : withKubernetesImages(render(), kept)
    return written
  }
  return {
    get config() {
      return write()
    },
    get firstConfig() {
      return triesRules ? withoutRules(write()) : write()
    },
    withRulesOf: (persisted) => (triesRules ? withRulesOf(write(), persisted) : write()),
    withRulesIn: (active) => withRulesOf(withoutProbes(active), write()),
    hasOtherRules: (active, persisted) =>
      (triesRules && withRulesOf('', active) !== withRulesOf('', persisted)) ||
      (hasProbes(active) && !hasProbes(persisted)),
    get images() {
      return kubernetesImages(kept === undefined ? write() : render())
    },
    differenceFrom: (active, talosVersion) => {
      const all = diffConfigs(active, write(), talosVersion)
      const isRule = ({ document }: FieldChange) => triesRules && isFirewallDocument(document)
      const changes = all.changes.filter((change) => !isRule(change))
      const rules = all.changes.filter(isRule)
      const isEncryption =
        changes.some(({ document }) => /^(v1alpha1$|VolumeConfig )/.test(document)) &&
        systemEncryption(active, 'the config that is') !== systemEncryption(write(), 'the config that is wanted')
      return {
        fields: changes.map(fieldOf),
        sentences: changeSentences(changes),
        values: changes.map(asChange),
        needsReboot: all.needsReboot,
        rules: [...new Set(rules.map(({ document }) => document))],
        ruleValues: rules.map(asChange),
        isEncryption,
      }
    },
    foreignKeysIn: (active) => findForeignKeys(active, write()),
    seedIso: () => seedOf(machine, triesRules ? withoutRules(write()) : write()),
  }
}

/** What the config is made from, without the secrets and the endpoint: known before both exist. */
export function configInputsOf(machine: Machine, spec: ClusterSpec, inline: Inline, kept?: KubernetesImages): object {
  return {
    ...talosMachine(machine, anyEndpoint, spec, inline),
    ...(kept === undefined ? {} : { images: kept }),
    ...rotationInputs(spec.secrets),
  }
}

/** Consent covers one phase of a rotation, whatever the keys. */
function rotationInputs(secrets: SecretsFile | undefined): { rotation?: object } {
  const rotation = secrets?.memory.rotation
  return isUnfinished(rotation) ? { rotation: { what: rotation.what, phase: rotation.phase } } : {}
}

/** The medium from which a machine reads its config. */
export function seedOf({ name, identity }: Pick<Machine, 'name' | 'identity'>, config: string): Uint8Array {
  return cidataIso({ userData: config, metaData: `instance-id: ${identity.uuid}\nlocal-hostname: ${name}\n` })
}

function fieldOf({ document, path }: FieldChange): string {
  return document === 'v1alpha1' ? path : [document, path].filter((part) => part !== '').join(' ')
}

function asChange(change: FieldChange): Change {
  return { what: fieldOf(change), from: shown(change.before), to: shown(change.after) }
}

/** A certificate or a manifest would hide everything else in a plan. */
const maxShown = 200

function shown(value: string | undefined): string | null {
  if (value === undefined) return null
  return value.length > maxShown ? `(${value.length} characters)` : value.replace(/^"(.*)"$/s, '$1')
}

type Configs = Map<string, DesiredTalos>
type Written = Pick<ClusterSpec, 'secrets' | 'patches' | 'addons'> & { readonly configs: Configs }

/** A plan resolves the same spec once per round: configs are reused from the previous round. */
const latest = new WeakMap<ClusterSpec['inventory'], Written>()

function configsOf({ inventory, secrets, patches, addons }: ClusterSpec): Configs {
  const known = latest.get(inventory)
  if (known?.secrets === secrets && known?.patches === patches && known.addons === addons) return known.configs
  const fresh = { secrets, patches, addons, configs: new Map() }
  latest.set(inventory, fresh)
  return fresh.configs
}
