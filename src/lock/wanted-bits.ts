import type { ChartSource } from '../addons/addon.js'
import { combineMachineNeeds, type PlannedAddon } from '../addons/planned-addon.js'
import { imageName } from '../cluster/locked-bits.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import { type FactoryBits, factoryBits, withExtensions } from '../desired/images.js'

/** Something whose digest is locked. */
export type Bit =
  | { readonly kind: 'images'; readonly name: string; readonly factory: FactoryBits }
  | { readonly kind: 'installers'; readonly name: string; readonly image: string }
  | { readonly kind: 'charts'; readonly name: string; readonly chart: ChartSource; readonly addon: string }

/** Everything external that this cluster uses by name. A lab has no registry. */
export function wantedBits(spec: Pick<ClusterSpec, 'inventory' | 'addons'>, isLab: boolean): Bit[] {
  const { settings, machines } = spec.inventory
  const { extensions } = combineMachineNeeds(spec.addons)
  const images = factoryBits(
    machines.map((machine) => withExtensions(machine, extensions, settings)),
    settings,
  )
  return [
    ...images.map((factory): Bit => ({ kind: 'images', name: imageName(factory.url), factory })),
    ...(isLab
      ? []
      : images.map(({ installer }): Bit => ({ kind: 'installers', name: withoutHost(installer), image: installer }))),
    ...spec.addons.flatMap(chartBit),
  ]
}

function chartBit({ name: addon, source }: PlannedAddon): Bit[] {
  if (source.kind !== 'chart') return []
  const name = `${source.repository.replace(/\/+$/, '')}/${source.chart}:${source.version}`
  return [{ kind: 'charts', name, chart: source, addon }]
}

function withoutHost(image: string): string {
  return image.slice(image.indexOf('/') + 1)
}
