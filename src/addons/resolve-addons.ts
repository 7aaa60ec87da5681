import type { PlanRefused } from '../errors.js'
import { addonRing, uselessPolicies } from '../findings/refusals/addons.js'
import type { Addon, AddonContext, AddonRegistry, AddonSettings } from './addon.js'
import { catalogue, findAddon } from './catalogue.js'
import { type CustomAddonSettings, planCustom } from './custom.js'
import { helmImage } from './helm-job.js'
import { mergeValues } from './merge-values.js'
import type { PlannedAddon } from './planned-addon.js'
import { hashed } from './spec-hash.js'

/** The resolved `addons` section of the inventory. */
export interface AddonsSettings {
  readonly custom: readonly CustomAddonSettings[]
  readonly registry?: AddonRegistry
  readonly [name: string]: AddonSettings | AddonRegistry | readonly CustomAddonSettings[] | undefined
}

const plain: AddonSettings = { values: {}, managed_by: 'ichor', delivery: 'job' }

/** The addons to install, each after its dependencies. The same settings and context give the same plan. */
export function resolveAddons(settings: AddonsSettings, context: AddonContext): PlannedAddon[] {
  const asked = catalogue.filter(({ name }) => settingsOf(settings, name) !== undefined)
  const wanted = withCompanions(asked, settings)
  refuseUselessPolicies(wanted, context)
  const names = [...wanted.map(({ name }) => name), ...settings.custom.map(({ name }) => name)]
  const network = wanted.filter(({ name }) => name === 'cilium' || name === 'flannel').map(({ name }) => name)
  const planned = [
    ...wanted.map((addon) => planAddon(addon, settingsOf(settings, addon.name) ?? plain, context, names)),
    ...settings.custom.map((custom) => planCustom(custom, context, [...network, ...custom.after])),
  ]
  return inOrder(planned)
}

function settingsOf(settings: AddonsSettings, name: string): AddonSettings | undefined {
  const found = settings[name]
  return Array.isArray(found) ? undefined : (found as AddonSettings | undefined)
}

function withCompanions(asked: readonly Addon[], settings: AddonsSettings): readonly Addon[] {
  const names = new Set(asked.map(({ name }) => name))
  for (const addon of asked) for (const name of addon.brings(settingsOf(settings, addon.name) ?? plain)) names.add(name)
  return [...names].flatMap((name) => findAddon(name) ?? [])
}

function refuseUselessPolicies(wanted: readonly Addon[], { cni }: AddonContext) {
  const has = (name: string) => wanted.some((addon) => addon.name === name)
  const ignoresPolicies = has('flannel') || (!has('cilium') && (cni ?? 'flannel') === 'flannel')
  if (!has('network_policies') || !ignoresPolicies) return
  throw uselessPolicies.refuse('Flannel ignores NetworkPolicies: they would protect nothing.', {
    subject: { kind: 'addon', name: 'network_policies' },
    where: 'addons.network_policies',
    fix: 'Add addons.cilium, or take addons.network_policies out.',
  })
}

function planAddon(
  addon: Addon,
  settings: AddonSettings,
  context: AddonContext,
  names: readonly string[],
): PlannedAddon {
  const namespace = settings.namespace ?? addon.namespace
  const version = settings.version ?? addon.version
  // What is applied at the boot of a control plane would come before the CRDs.
  const isMonitored = names.includes('prometheus_crds') && settings.delivery !== 'inline'
  const request = { settings, context, namespace, version, isMonitored }
  const { source, before = [], after = [] } = addon.install(request)
  const spec = {
    name: addon.name,
    title: addon.title,
    namespace,
    version,
    needs: addon.after.filter((name) => names.includes(name)),
    machines: addon.machines?.(settings) ?? {},
    identities: addon.identities,
    source: source.kind === 'chart' ? { ...source, values: mergeValues(source.values, settings.values) } : source,
    before,
    after,
    checks: addon.checks(request),
    managedBy: settings.managed_by,
    delivery: settings.delivery,
    ...volumesOf(addon, settings),
    holdsData: addon.holdsData,
    toleratesTaints: addon.toleratesTaints ?? false,
    helmImage: helmImage(context.registry?.images),
  }
  return hashed(spec, context)
}

function volumesOf({ volumes }: Addon, settings: AddonSettings): Pick<PlannedAddon, 'volumes' | 'volumeValue'> {
  if (volumes?.brings?.(settings)) return { volumes: 'brings' }
  const { needsUnless } = volumes ?? {}
  if (needsUnless === undefined || hasValue(settings.values, needsUnless.value)) return {}
  return { volumes: 'needs', volumeValue: needsUnless.example }
}

function hasValue(values: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  return typeof values === 'object' && values !== null && Object.hasOwn(values, key)
    ? hasValue(Object.entries(values).find(([name]) => name === key)?.[1], rest)
    : false
}

function inOrder(planned: readonly PlannedAddon[]): PlannedAddon[] {
  const ordered: PlannedAddon[] = []
  const waiting = [...planned]
  while (waiting.length > 0) {
    const index = waiting.findIndex(({ needs }) => needs.every((name) => ordered.some((done) => done.name === name)))
    const [next] = waiting.splice(index, 1)
    if (index < 0 || next === undefined) throw waitsForItself(planned, ordered)
    ordered.push(next)
  }
  return ordered
}

function waitsForItself(planned: readonly PlannedAddon[], ordered: readonly PlannedAddon[]): PlanRefused {
  const stuck = planned.filter((addon) => !ordered.includes(addon)).map(({ name }) => name)
  return addonRing.refuse(
    `The addons ${stuck.join(' and ')} depend on each other, or on an addon that is not enabled.`,
    {
      subject: { kind: 'addon', name: stuck.join(', ') },
      where: 'addons.custom[].after',
      fix: 'Remove one of them from `after`.',
    },
  )
}
