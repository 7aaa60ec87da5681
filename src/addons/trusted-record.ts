import { AddonFailed } from './addon-failed.js'
import { findAddon } from './catalogue.js'
import type { InstalledAddon } from './installed-addons.js'

/**
 * Records are stored in the cluster, where others can edit them. Facts of the catalogue take precedence, so that a
 * record cannot claim that nothing is lost. An unreadable record is ignored.
 */
export function readRecord(text: string): InstalledAddon | undefined {
  const record = parse(text)
  if (record === undefined || typeof record.name !== 'string' || !Array.isArray(record.objects)) return undefined
  const known = findAddon(record.name)
  // It is unknown whether a third-party chart holds data.
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

/** Before its release is uninstalled: a record that names another namespace or release was tampered with. */
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
