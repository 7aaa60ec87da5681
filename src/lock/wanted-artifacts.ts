import type { ChartSource } from '../addons/addon.js'
import { combineMachineNeeds, type PlannedAddon } from '../addons/planned-addon.js'
import { imageName } from '../cluster/pinned-digests.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import { type FactoryArtifacts, factoryArtifacts, withExtensions } from '../desired/images.js'

/** Something whose digest is locked. */
export type Artifact =
  | { readonly kind: 'images'; readonly name: string; readonly factory: FactoryArtifacts }
  | { readonly kind: 'installers'; readonly name: string; readonly image: string }
  | { readonly kind: 'charts'; readonly name: string; readonly chart: ChartSource; readonly addon: string }

/** Everything external that this cluster uses by name. A lab has no registry. */
export function wantedArtifacts(spec: Pick<ClusterSpec, 'inventory' | 'addons'>, isLab: boolean): Artifact[] {
  const { settings, machines } = spec.inventory
  const { extensions } = combineMachineNeeds(spec.addons)
  const images = factoryArtifacts(
    machines.map((machine) => withExtensions(machine, extensions, settings)),
    settings,
  )
  return [
    ...images.map((factory): Artifact => ({ kind: 'images', name: imageName(factory.url), factory })),
    ...(isLab
      ? []
      : images.map(
          ({ installer }): Artifact => ({ kind: 'installers', name: withoutHost(installer), image: installer }),
        )),
    ...spec.addons.flatMap(chartArtifact),
  ]
}

function chartArtifact({ name: addon, source }: PlannedAddon): Artifact[] {
  if (source.kind !== 'chart') return []
  const name = `${source.repository.replace(/\/+$/, '')}/${source.chart}:${source.version}`
  return [{ kind: 'charts', name, chart: source, addon }]
}

function withoutHost(image: string): string {
  return image.slice(image.indexOf('/') + 1)
}
