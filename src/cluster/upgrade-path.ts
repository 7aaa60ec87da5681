import { compareVersions, kubernetesRange, minorOf, parseVersion, type Version } from './version.js'

/** The running and the wanted versions of Talos or Kubernetes. */
export interface Progress {
  /** Of every machine or component; empty if nothing runs yet. */
  readonly running: readonly string[]
  readonly wanted: string
}

export interface Route {
  readonly talos: Progress
  readonly kubernetes: Progress
  /** Talos releases that an upgrade can pass through; `undefined` while unknown. */
  readonly releases: readonly string[] | undefined
  /** Releases that the user wants to pass through, instead of the last one of each minor version. */
  readonly path?: readonly string[]
  /** Talos may be rolled back over a minor version, to the other boot slot. */
  readonly canGoBack?: boolean
}

/** The next version change. */
export interface Hop {
  readonly kind: 'talos' | 'kubernetes'
  readonly from: string
  readonly to: string
  /** To the other boot slot. */
  readonly isBack?: true
}

export interface NoWay {
  readonly problem: string
  /** The inventory key that requests it. */
  readonly where: 'talos_version' | 'kubernetes_version' | 'talos.upgrade_path'
  readonly fix: string
}

/** A known release of each Kubernetes minor version, to pass through on the way to a distant target. */
const kubernetesReleases: Readonly<Record<number, number>> = {
  26: 15,
  27: 16,
  28: 15,
  29: 15,
  30: 14,
  31: 13,
  32: 9,
  33: 6,
  34: 1,
  35: 4,
  36: 3,
  37: 0,
}

/**
 * The next hop towards the wanted versions: at most one minor version at a time, and Kubernetes only if Talos supports
 * it. A change that has started is finished first, so that at most two versions run side by side. `undefined` if
 * everything has arrived.
 */
export function nextHop(route: Route): Hop | NoWay | undefined {
  const talos = spanOf(route.talos)
  const kubernetes = spanOf(route.kubernetes)
  const wanted = { talos: parsed(route.talos.wanted), kubernetes: parsed(route.kubernetes.wanted) }
  const refusal =
    misfit(wanted.talos, wanted.kubernetes) ??
    (talos && !route.canGoBack ? downgrade('Talos', 'talos_version', talos.high, wanted.talos) : undefined) ??
    (kubernetes && downgrade('Kubernetes', 'kubernetes_version', kubernetes.high, wanted.kubernetes))
  if (refusal !== undefined) return refusal
  const isTalosThere = talos === undefined || isAll(talos, wanted.talos)
  const isKubernetesThere = kubernetes === undefined || isAll(kubernetes, wanted.kubernetes)
  if (kubernetes !== undefined && !isKubernetesThere) {
    const isBegun = compareVersions(kubernetes.low, kubernetes.high) !== 0
    if (isTalosThere || isBegun) return kubernetesHop(kubernetes, wanted.kubernetes, talos)
  }
  if (talos === undefined || isTalosThere) return undefined
  if (route.canGoBack && compareVersions(wanted.talos, talos.high) < 0)
    return { kind: 'talos', from: textOf(talos.high), to: textOf(wanted.talos), isBack: true }
  const next = nextTalos(talos.low, wanted.talos, route)
  if (isNoWay(next)) return next
  const range = kubernetesRange(next)
  if (kubernetes === undefined || range === undefined || kubernetes.low.minor >= range.from)
    return { kind: 'talos', from: textOf(talos.low), to: textOf(next) }
  return kubernetesHop(kubernetes, wanted.kubernetes, talos)
}

export function isNoWay(value: object | undefined): value is NoWay {
  return value !== undefined && 'problem' in value
}

/** Whether something has reached the target of a hop: for an intermediate minor version, any patch release counts. */
export function hasArrived(running: string, { from, to }: Pick<Hop, 'from' | 'to'>, wanted: string): boolean {
  const [runs, next, before] = [parseVersion(running), parseVersion(to), parseVersion(from)]
  if (to === wanted || runs === undefined || next === undefined || before === undefined) return running === to
  return compareVersions(runs, next) >= 0 || (before.minor < next.minor && runs.minor >= next.minor)
}

interface Span {
  readonly low: Version
  readonly high: Version
}

function spanOf({ running }: Progress): Span | undefined {
  const versions = running.flatMap((text) => parseVersion(text) ?? []).sort(compareVersions)
  const [low] = versions
  const high = versions.at(-1)
  return low === undefined || high === undefined ? undefined : { low, high }
}

function isAll({ low, high }: Span, wanted: Version): boolean {
  return compareVersions(low, wanted) === 0 && compareVersions(high, wanted) === 0
}

function nextTalos(low: Version, wanted: Version, { releases, path }: Route): Version | NoWay {
  const asked = path?.map(parsed).find((version) => compareVersions(version, low) > 0)
  if (asked !== undefined && asked.minor <= low.minor + 1 && compareVersions(asked, wanted) < 0) return asked
  if (wanted.minor <= low.minor + 1) return wanted
  const last = releases
    ?.map(parsed)
    .filter(({ major, minor, pre }) => major === low.major && minor === low.minor + 1 && pre === undefined)
    .sort(compareVersions)
    .at(-1)
  const between = `v${low.major}.${low.minor + 1}`
  return (
    last ?? {
      problem: `From Talos ${textOf(low)} to ${textOf(wanted)} the upgrade path includes ${between}, but its releases could not be listed${releases === undefined ? ': the Image Factory did not answer' : ''}.`,
      where: 'talos.upgrade_path',
      fix: `List a release of each minor version in between in talos.upgrade_path, such as [${between}.0].`,
    }
  )
}

function kubernetesHop({ low }: Span, wanted: Version, talos: Span | undefined): Hop | NoWay {
  const to =
    wanted.minor <= low.minor + 1
      ? wanted
      : { major: 1, minor: low.minor + 1, patch: kubernetesReleases[low.minor + 1] ?? 0 }
  const ends = talos === undefined ? [] : [talos.low, talos.high]
  const misfits = ends.find((runs) => misfit(runs, to) !== undefined)
  if (misfits === undefined) return { kind: 'kubernetes', from: textOf(low), to: textOf(to) }
  return {
    problem: `Kubernetes ${textOf(low)} cannot be upgraded to ${textOf(to)}: Talos ${textOf(misfits)} does not support it.`,
    where: 'kubernetes_version',
    fix: 'Finish the upgrade to the previous versions of the inventory first, then choose a nearer target.',
  }
}

function misfit(talos: Version, kubernetes: Version): NoWay | undefined {
  const range = kubernetesRange(talos)
  if (range === undefined || (kubernetes.minor >= range.from && kubernetes.minor <= range.to)) return undefined
  return {
    problem: `Talos ${minorOf(talos)} takes Kubernetes v1.${range.from} to v1.${range.to}, and not ${minorOf(kubernetes)}.`,
    where: 'kubernetes_version',
    fix: `Write a kubernetes_version between v1.${range.from}.0 and v1.${range.to}.99, or another talos_version.`,
  }
}

function downgrade(
  what: string,
  where: 'talos_version' | 'kubernetes_version',
  runs: Version,
  wanted: Version,
): NoWay | undefined {
  if (wanted.major === runs.major && wanted.minor >= runs.minor) return undefined
  const back = what === 'Talos' ? ' To undo an upgrade, run ichor upgrade --rollback.' : ''
  return {
    problem: `${what} ${textOf(runs)} runs, but the inventory has ${textOf(wanted)}: ${what} cannot be downgraded to another minor version.`,
    where,
    fix: `Write ${where}: ${textOf(runs)}, or another release of ${minorOf(runs)} or later.${back}`,
  }
}

function parsed(text: string): Version {
  const version = parseVersion(text)
  if (version === undefined) throw new Error(`"${text}" is not a version`)
  return version
}

function textOf({ major, minor, patch, pre }: Version): string {
  return `v${major}.${minor}.${patch}${pre === undefined ? '' : `-${pre}`}`
}
