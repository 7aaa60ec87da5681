import { AddonFailed } from './addon-failed.js'
import { findAddon } from './catalogue.js'
import type { InstalledAddon } from './installed-addons.js'

/**
 * Records lie in the cluster, where others can edit them. What the catalogue knows better is taken from there, so that a
 * record cannot say that nothing is lost; one that cannot be read is none.
 */
export function readRecord(text: string): InstalledAddon | undefined {
  const record = parse(text)
  if (record === undefined || typeof record.name !== 'string' || !Array.isArray(record.objects)) return undefined
  const known = findAddon(record.name)
  // Nobody knows what a chart of somebody else keeps.
  return { ...record, checks: record.checks ?? [], holdsData: known?.holdsData ?? true } as InstalledAddon
}

function parse(text: string): Partial<InstalledAddon> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Before its release is uninstalled: a record that leads to another namespace or release was changed by somebody. */
export function refuseForeignRelease({ name, namespace, release }: InstalledAddon): void {
  const known = findAddon(name)
  const isOurs = known === undefined ? release === name : namespace === known.namespace
  if (release === undefined || isOurs) return
  throw new AddonFailed(
    `The record of ${name} names the release ${release} in ${namespace}, which is not what ichor installs.`,
    {
      where: `ConfigMap of addon ${name} in kube-system`,
      fix: 'Check who changed it. To remove the release, uninstall it with helm and delete that ConfigMap.',
    },
  )
}
