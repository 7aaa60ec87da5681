import { ifSeen } from '../cluster/seen.js'
import { parseVersion } from '../cluster/version.js'
import { allowsVersion } from '../cluster/version-constraint.js'
import type { Desired } from '../desired/desired.js'
import type { Finding } from '../findings/finding.js'
import { deprecatedApi, uncheckedUpgrade, unsupportedChart } from '../findings/notes/versions.js'
import { unreachableVersion } from '../findings/refusals/versions.js'
import type { DeprecatedApi } from '../kubernetes/port.js'
import type { Observed } from '../observe/observed.js'

/**
 * Versions that cannot be reached from the running ones: a downgrade of a minor version, or a Kubernetes that Talos
 * does not support.
 */
export function refuseNoWay({ cluster: { name, noWay } }: Desired): void {
  if (noWay === undefined) return
  throw unreachableVersion.refuse(noWay.problem, {
    subject: { kind: 'cluster', name: name },
    where: `${noWay.where} in the inventory`,
    fix: noWay.fix,
  })
}

/** APIs in use that a Kubernetes version on the way removes or deprecates. */
export function deprecationNotes({ cluster }: Desired, { kubernetes }: Observed): Finding[] {
  const deprecated = ifSeen(kubernetes)?.deprecated
  if (deprecated === undefined) return []
  const { target, name } = cluster
  if (!deprecated.seen)
    return [
      uncheckedUpgrade.note(
        `Could not check for deprecated APIs before Kubernetes ${target.kubernetes}: ${deprecated.why}`,
        {
          subject: { kind: 'cluster', name },
        },
      ),
    ]
  return deprecated.value.map((api) =>
    deprecatedApi.note(describeDeprecated(api, target.kubernetes), { subject: { kind: 'object', name: api.name } }),
  )
}

function describeDeprecated({ name, removedIn }: DeprecatedApi, target: string): string {
  const [gone, wanted] = [parseVersion(`${removedIn}.0`), parseVersion(target)]
  if (gone === undefined || wanted === undefined) return `The API ${name} is in use and deprecated.`
  return gone.minor <= wanted.minor
    ? `The API ${name} is in use, and Kubernetes ${removedIn} has removed it: its clients fail with ${target}.`
    : `The API ${name} is in use, and Kubernetes ${removedIn} removes it.`
}

/** Charts in the cluster that declare no support for the wanted Kubernetes version. */
export function chartNotes({ cluster: { target, name } }: Desired, { kubernetes }: Observed): Finding[] {
  const charts = ifSeen(kubernetes)?.charts
  const wanted = parseVersion(target.kubernetes)
  if (charts === undefined || wanted === undefined) return []
  if (!charts.seen)
    return [
      uncheckedUpgrade.note(`Could not check whether charts support Kubernetes ${target.kubernetes}: ${charts.why}`, {
        subject: { kind: 'cluster', name },
      }),
    ]
  return charts.value
    .filter(({ kubeVersion }) => allowsVersion(kubeVersion, wanted) === false)
    .map(({ release, namespace, chart, version, kubeVersion }) =>
      unsupportedChart.note(
        `The chart ${chart} ${version} (release ${release} in ${namespace}) supports Kubernetes ${kubeVersion}, and not ${target.kubernetes}: upgrade it first.`,
        { subject: { kind: 'object', name: `release ${release} in ${namespace}` } },
      ),
    )
}
