import { parseVersion } from '../../cluster/version.js'

export interface ChangedField {
  readonly kind: string
  readonly path: readonly string[]
  readonly isRemoved: boolean
}

/** Sections of `machine` that Talos up to 1.13 applies without a reboot. */
const immediateMachine = new Set(
  'ca acceptedCAs time certSANs install network sysfs sysctls logging controlPlane kubelet kernel registries pods seccompProfiles nodeAnnotations nodeLabels nodeTaints'.split(
    ' ',
  ),
)

const immediateFeatures = new Set([
  'kubernetesTalosAPIAccess',
  'kubePrism',
  'hostDNS',
  'imageCache',
  'nodeAddressSortAlgorithm',
])

/** Whether this Talos version applies the change only at boot. */
export function needsReboot(field: ChangedField, talosVersion: string): boolean {
  const minor = parseVersion(talosVersion)?.minor ?? 0
  return minor >= 14 ? needsRebootLater(field) : needsRebootUntil13(field)
}

/** Up to 1.13 Talos decides, and reboots for any change of v1alpha1 that is not on its list. */
function needsRebootUntil13({ kind, path }: ChangedField): boolean {
  const [root = '', section = '', part = ''] = path
  if (kind !== 'v1alpha1' || root === 'debug' || root === 'cluster') return false
  if (root !== 'machine') return true
  return section === 'features' ? !immediateFeatures.has(part) : !immediateMachine.has(section)
}

/** From 1.14 on Talos never reboots on its own; documented changes wait for a requested reboot. */
function needsRebootLater({ kind, path, isRemoved }: ChangedField): boolean {
  const [root = '', section = ''] = path
  if (kind === 'v1alpha1')
    return (root === 'cluster' && section === 'etcd') || (root === 'machine' && section === 'env')
  if (kind === 'EnvironmentConfig') return true
  if (kind === 'KernelModuleConfig') return isRemoved || root === 'parameters'
  return kind.endsWith('VolumeConfig') && root === 'encryption'
}
