import { compareVersions, parseVersion } from '../../cluster/version.js'
import { UsageError } from '../../errors.js'
import type { Change } from '../../inventory/edit.js'
import type { Inventory } from '../../inventory/inventory.js'

export interface WantedVersions {
  readonly talos?: string | undefined
  readonly kubernetes?: string | undefined
}

const where = 'ichor upgrade'

/** The edit of the inventory for other versions. */
export function upgrade({ settings }: Inventory, { talos, kubernetes }: WantedVersions): Change[] {
  const version = { talos: versionOf('--talos', talos), kubernetes: versionOf('--kubernetes', kubernetes) }
  const path = settings.talos.upgrade_path?.filter((text) => isBefore(text, version.talos ?? settings.talos_version))
  return [
    ...(version.talos === undefined ? [] : [{ path: 'talos_version', value: version.talos }]),
    ...(version.kubernetes === undefined ? [] : [{ path: 'kubernetes_version', value: version.kubernetes }]),
    ...(path === undefined || path.length === settings.talos.upgrade_path?.length
      ? []
      : [{ path: 'talos.upgrade_path', value: path }]),
  ]
}

/** Adopted machines that kept their versions take part from now on. */
export function joinUpgrade({ settings: { controlplane, workers } }: Inventory): Change[] {
  return Object.entries({ controlplane, workers }).flatMap(([list, nodes]) =>
    nodes.flatMap(({ adopted }, index): Change[] => {
      if (adopted?.runs === undefined) return []
      const { runs: _, ...value } = adopted
      return [{ path: `${list}[${index}].adopted`, value }]
    }),
  )
}

/** `v1.13.9`, also for `1.13.9`. */
function versionOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (parseVersion(text) !== undefined) return text.startsWith('v') ? text : `v${text}`
  throw new UsageError(`${flag} must be a version, got "${text}".`, {
    where,
    fix: `Write ${flag} v1.13.9, for example.`,
  })
}

function isBefore(text: string, target: string): boolean {
  const [one, other] = [parseVersion(text), parseVersion(target)]
  return one !== undefined && other !== undefined && compareVersions(one, other) < 0
}

/** The target of a rollback: the user's choice, or the version of machines that the upgrade has not reached. */
export function rollbackTarget(running: readonly string[], asked: string | undefined): string {
  if (asked !== undefined) return versionOf('--talos', asked) ?? asked
  const versions = [...new Set(running)].flatMap((text) => {
    const version = parseVersion(text)
    return version === undefined ? [] : [{ text, version }]
  })
  const [oldest, ...others] = versions.sort((one, other) => compareVersions(one.version, other.version))
  if (oldest !== undefined && others.length > 0) return oldest.text
  throw new UsageError(
    oldest === undefined
      ? 'The running version of Talos is not known for any machine.'
      : `Every machine runs Talos ${oldest.text}: which version they ran before is not known.`,
    {
      where: 'ichor upgrade --rollback',
      fix: 'Name the version in the other boot slot: ichor upgrade --rollback --talos V.',
    },
  )
}
