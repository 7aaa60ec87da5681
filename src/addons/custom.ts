import { createHash } from 'node:crypto'
import type { KubernetesObject } from '../kubernetes/port.js'
import {
  type AddonCheck,
  type AddonContext,
  type ChartSource,
  type ManifestReference,
  type ManifestSource,
  type ReferencedSource,
  rollout,
} from './addon.js'
import { AddonFailed } from './addon-failed.js'
import { helmImage } from './helm-job.js'
import { parseManifests } from './parse-manifests.js'
import type { PlannedAddon } from './planned-addon.js'
import { hashed } from './spec-hash.js'

/** An addon that is not in the catalogue: one of chart, manifests, inline and kustomize. */
export interface CustomAddonSettings {
  readonly name: string
  readonly namespace: string
  readonly chart?: { readonly repository: string; readonly name: string; readonly version: string }
  readonly values: Readonly<Record<string, unknown>>
  readonly manifests?: readonly ManifestReference[]
  readonly inline?: string
  readonly kustomize?: string
  readonly after: readonly string[]
  readonly managed_by: 'ichor' | 'gitops'
  readonly delivery: 'job' | 'inline' | 'helm'
}

export function planCustom(
  settings: CustomAddonSettings,
  context: AddonContext,
  needs: readonly string[],
): PlannedAddon {
  const source = sourceOf(settings)
  return hashed(
    {
      name: settings.name,
      title: settings.name,
      namespace: settings.namespace,
      version: settings.chart?.version ?? '',
      needs: [...new Set(needs)],
      machines: {},
      identities: [],
      source,
      before: [],
      after: [],
      checks: source.kind === 'manifests' ? checksOf(source.objects) : [],
      managedBy: settings.managed_by,
      delivery: settings.delivery,
      // It is unknown whether a third-party chart holds data.
      holdsData: true,
      volumes: 'may-bring',
      helmImage: helmImage(context.registry?.images),
    },
    context,
  )
}

function sourceOf(settings: CustomAddonSettings): ChartSource | ManifestSource | ReferencedSource {
  const { name, chart, values, inline, manifests, kustomize } = settings
  if (chart !== undefined)
    return {
      kind: 'chart',
      repository: chart.repository,
      chart: chart.name,
      version: chart.version,
      release: name,
      values,
    }
  if (inline !== undefined) return { kind: 'manifests', objects: parseManifests(inline, `addons.custom ${name}`) }
  return { kind: 'references', references: manifests ?? (kustomize === undefined ? [] : [{ source: kustomize }]) }
}

/** Loads what an addon only refers to; the content is hashed, so that a changed file is drift. */
export async function loadReferences(
  addon: PlannedAddon,
  context: AddonContext,
  read: (reference: string) => Promise<string>,
): Promise<PlannedAddon> {
  if (addon.source.kind !== 'references') return addon
  const texts = await Promise.all(
    addon.source.references.map(async (reference) => {
      const text = await read(reference.source)
      refuseChanged(text, reference)
      return parseManifests(text, reference.source)
    }),
  )
  const objects = texts.flat()
  return hashed({ ...addon, source: { kind: 'manifests', objects }, checks: checksOf(objects) }, context)
}

function refuseChanged(text: string, { source, sha256 }: ManifestReference): void {
  const found = createHash('sha256').update(text).digest('hex')
  if (sha256 === undefined || sha256.toLowerCase() === found) return
  throw new AddonFailed(`The manifest ${source} does not match its sha256 in the inventory: got ${found}.`, {
    where: source,
    fix: 'Read what changed in it, then write its new sha256 into addons.custom.',
  })
}

/** Third-party manifests are healthy when their workloads run and their CRDs are established. */
function checksOf(objects: readonly KubernetesObject[]): AddonCheck[] {
  return objects.flatMap(({ kind, metadata: { name = '', namespace = 'default' } }): AddonCheck[] => {
    if (kind === 'Deployment' || kind === 'DaemonSet' || kind === 'StatefulSet') return [rollout(kind, namespace, name)]
    return kind === 'CustomResourceDefinition' ? [{ kind: 'crd', name }] : []
  })
}
