import { stringify } from 'yaml'
import type { KubernetesObject } from '../kubernetes/port.js'
import { type HelmJob, helmJobObjects, upgradeArgs, valuesFile } from './helm-job.js'
import type { PlannedAddon } from './planned-addon.js'

/** The helm job of an addon that is a chart. */
export function findHelmJob({ name, namespace, source, helmImage }: PlannedAddon): HelmJob | undefined {
  if (source.kind !== 'chart') return undefined
  return { addon: name, image: helmImage, args: upgradeArgs(source, namespace, valuesFile), values: source.values }
}

/** Everything that is applied to install an addon, except what must wait for its CRDs. */
export function installObjects(addon: PlannedAddon): KubernetesObject[] {
  const job = findHelmJob(addon)
  const own = job === undefined ? objectsOf(addon) : helmJobObjects(job)
  return [...addon.before, ...own]
}

function objectsOf({ source }: PlannedAddon): readonly KubernetesObject[] {
  return source.kind === 'manifests' ? source.objects : []
}

/**
 * The same objects for Talos to apply at first boot. A chart is included as its job, so that it becomes a normal
 * release.
 */
export function inlineManifestOf(addon: PlannedAddon): { name: string; contents: string } {
  const objects = installObjects(addon)
  return {
    name: `ichor-${addon.name.replaceAll('_', '-')}`,
    contents: objects.map((object) => stringify(object)).join('---\n'),
  }
}
