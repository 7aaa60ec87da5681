import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import type { AddonCheck } from './addon.js'
import { addonProblems, describeCheck } from './check-addon.js'
import { accountName, jobNamespace } from './helm-job.js'
import type { PlannedAddon } from './planned-addon.js'
import { readRecord } from './trusted-record.js'

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }

/** What the cluster itself remembers of an addon: there is no other memory. */
export interface InstalledAddon {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly namespace: string
  readonly hash: string
  readonly managedBy: 'ichor' | 'gitops'
  readonly holdsData: boolean
  /** The Helm release, where it is a chart. */
  readonly release?: string
  /** What was applied besides the chart, to be removed with it. */
  readonly objects: readonly ObjectRef[]
  /** When it is healthy: known even where the inventory no longer speaks of it. */
  readonly checks: readonly AddonCheck[]
}

export interface ObjectRef {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/** Every addon that was installed by us, whatever has become of it. */
export async function readInstalledAddons(api: KubernetesApi, signal: AbortSignal): Promise<InstalledAddon[]> {
  const records = await api.list(configMap, jobNamespace, { labelSelector: 'ichor.dev/record=addon' }, signal)
  return records.flatMap((record) => readRecord((record.data as Record<string, string>).addon ?? '') ?? [])
}

/** An installed addon and how it is. */
export interface AddonState {
  readonly name: string
  readonly title: string
  readonly version: string
  /** Hash of what was installed, to tell a change of the request. */
  readonly spec: string
  readonly managedBy: 'ichor' | 'gitops'
  /** Removing it can lose data. */
  readonly holdsData: boolean
  readonly healthy: boolean
  /** The first thing that is wrong. */
  readonly reason?: string
  /** A part of it that somebody took away: brought again by the next `up`. */
  readonly missing?: string
}

/** Every installed addon and how it is, for `status`, `health` and the planner. */
export async function observeAddons(api: KubernetesApi, signal: AbortSignal): Promise<AddonState[]> {
  const installed = await readInstalledAddons(api, signal)
  return Promise.all(installed.map((addon) => stateOf(api, addon, signal)))
}

async function stateOf(api: KubernetesApi, addon: InstalledAddon, signal: AbortSignal): Promise<AddonState> {
  const { name, title, version, hash, managedBy, holdsData } = addon
  const problems = await installedProblems(api, addon, signal)
  const [reason] = problems
  const missing = findMissingPart(problems)
  return {
    name,
    title,
    version,
    spec: hash,
    managedBy,
    holdsData,
    healthy: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    ...(missing === undefined ? {} : { missing }),
  }
}

/**
 * What is wrong with an addon: its checks, and whether what was applied beside its chart is still there. What GitOps
 * manages may have been replaced by it, so there only the checks count.
 */
export async function installedProblems(
  api: KubernetesApi,
  { checks, objects, managedBy }: InstalledAddon,
  signal: AbortSignal,
): Promise<string[]> {
  const parts = managedBy === 'gitops' ? [] : objects.map(existenceOf)
  const unchecked = parts.filter((part) => !checks.some((check) => describeCheck(check) === describeCheck(part)))
  return addonProblems(api, [...checks, ...unchecked], signal)
}

function existenceOf({ apiVersion, kind, namespace, name }: ObjectRef): AddonCheck {
  return { kind: 'exists', apiVersion, objectKind: kind, name, ...(namespace === undefined ? {} : { namespace }) }
}

/** The part of an addon that somebody took away; one that is only unhealthy has none. */
function findMissingPart(problems: readonly string[]): string | undefined {
  return problems.find((problem) => problem.endsWith('does not exist'))
}

/** Written when an addon is healthy: from then on it is compared by its hash. */
export function recordOf(addon: PlannedAddon): KubernetesObject {
  const { name, title, version, namespace, hash, managedBy, holdsData, source, before, after, checks } = addon
  const own = source.kind === 'manifests' ? source.objects : []
  const installed: InstalledAddon = {
    name,
    title,
    version,
    namespace,
    hash,
    managedBy,
    holdsData,
    ...(source.kind === 'chart' ? { release: source.release } : {}),
    objects: [...before, ...own, ...after].map(refOf),
    checks,
  }
  return { ...recordRef(name), data: { addon: JSON.stringify(installed) } }
}

export function recordRef(addon: string): KubernetesObject {
  const labels = { 'app.kubernetes.io/managed-by': 'ichor', 'ichor.dev/record': 'addon' }
  return {
    ...configMap,
    metadata: { name: accountName(addon).replace('helm', 'addon'), namespace: jobNamespace, labels },
  }
}

export function refOf({ apiVersion, kind, metadata }: KubernetesObject): ObjectRef {
  const { name = '', namespace } = metadata
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) }
}

export type AddonChange = 'install' | 'update' | 'none'

/**
 * What is to be done about an addon; one of which a part is gone is brought again. What GitOps manages is installed
 * once and then only watched.
 */
export function changeOf(
  wanted: PlannedAddon,
  installed: Pick<InstalledAddon, 'hash'> | undefined,
  problems: readonly string[] = [],
): AddonChange {
  if (installed === undefined) return 'install'
  if (wanted.managedBy === 'gitops') return 'none'
  const isDamaged = findMissingPart(problems) !== undefined
  return isDamaged || installed.hash !== wanted.hash ? 'update' : 'none'
}
