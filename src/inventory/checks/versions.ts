import {
  compareVersions,
  kubernetesRange,
  minorOf,
  newestTalosMinor,
  oldestTalosMinor,
  parseVersion,
  type Version,
} from '../../cluster/version.js'
import type { Complaint } from '../complaint.js'
import type { CheckInput } from './check.js'

/** Talos and Kubernetes must be compatible, and the contract must not be newer than Talos. */
export function* checkVersions({ settings, has }: CheckInput): Iterable<Complaint> {
  const talos = parseVersion(settings.talos_version)
  const kubernetes = parseVersion(settings.kubernetes_version)
  if (talos === undefined || kubernetes === undefined) return
  yield* talosVersion(talos)
  if (has(['kubernetes_version'])) yield* kubernetesVersion(talos, kubernetes)
  const contract = settings.talos.contract && parseVersion(`${settings.talos.contract}.0`)
  if (contract) yield* contractVersion(contract, talos)
  yield* upgradePath(settings.talos.upgrade_path ?? [], talos)
}

/** A path is ascending, one minor version at a time, and ends before the wanted version. */
function* upgradePath(path: readonly string[], talos: Version): Iterable<Complaint> {
  let before: Version | undefined
  for (const [index, text] of path.entries()) {
    const version = parseVersion(text)
    if (version === undefined) continue
    const place = { path: ['talos', 'upgrade_path', index], related: [['talos_version']] }
    if (compareVersions(version, talos) >= 0) {
      yield {
        ...place,
        message: `talos.upgrade_path leads to ${text}, which is not before talos_version.`,
        fix: 'List only versions below talos_version; the last step is talos_version itself.',
      }
    } else if (before !== undefined && (compareVersions(version, before) <= 0 || version.minor > before.minor + 1)) {
      yield {
        ...place,
        message: `talos.upgrade_path goes from ${path[index - 1]} to ${text}, but Talos can only be upgraded one minor version at a time.`,
        fix: 'List the versions in ascending order, without leaving a minor version out.',
      }
    }
    before = version
  }
}

function* talosVersion(talos: Version): Iterable<Complaint> {
  const path = ['talos_version']
  if (talos.major !== 1 || talos.minor < oldestTalosMinor) {
    yield {
      path,
      message: `Talos ${minorOf(talos)} is not supported by this ichor, which supports v1.${oldestTalosMinor} to v1.${newestTalosMinor}.`,
      fix: `Write a version from v1.${oldestTalosMinor}.0 on.`,
    }
  } else if (talos.minor > newestTalosMinor) {
    yield {
      path,
      severity: 'warning',
      message: `Talos ${minorOf(talos)} is newer than this ichor supports; it is treated like v1.${newestTalosMinor}.`,
      fix: 'Check for a newer version of ichor.',
    }
  }
}

function* kubernetesVersion(talos: Version, kubernetes: Version): Iterable<Complaint> {
  const range = kubernetesRange(talos)
  if (range === undefined) return
  if (kubernetes.major === 1 && kubernetes.minor >= range.from && kubernetes.minor <= range.to) return
  yield {
    path: ['kubernetes_version'],
    related: [['talos_version']],
    message: `Talos ${minorOf(talos)} takes Kubernetes v1.${range.from} to v1.${range.to}, and not ${minorOf(kubernetes)}.`,
    fix: `Write a version between v1.${range.from}.0 and v1.${range.to}.99, or change talos_version.`,
  }
}

function* contractVersion(contract: Version, talos: Version): Iterable<Complaint> {
  if (contract.minor >= oldestTalosMinor && compareVersions(contract, { ...talos, patch: 0 }) <= 0) return
  yield {
    path: ['talos', 'contract'],
    related: [['talos_version']],
    message: `Talos ${minorOf(talos)} does not read configs in the style of ${minorOf(contract)}.`,
    fix: `Write a contract from v1.${oldestTalosMinor} to ${minorOf(talos)}.`,
  }
}
