import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import type { AddonCheck } from './addon.js'
import { addonProblems, describeCheck } from './check-addon.js'
import { accountName, jobNamespace } from './helm-job.js'
import type { PlannedAddon } from './planned-addon.js'
import { readRecord } from './trusted-record.js'

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }

/** The record of an addon in the cluster, which is the only one. */
export interface InstalledAddon {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly namespace: string
  readonly hash: string
  readonly managedBy: 'ichor' | 'gitops'
  readonly holdsData: boolean
  /** The Helm release of a chart. */
  readonly release?: string
  /** Objects that were applied besides the chart and are removed with it. */
  readonly objects: readonly ObjectRef[]
  /** Its health checks, known even if the inventory no longer has it. */
  readonly checks: readonly AddonCheck[]
}

export interface ObjectRef {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/** All addons that ichor installed, in any state. */
export async function readInstalledAddons(api: KubernetesApi, signal: AbortSignal): Promise<InstalledAddon[]> {
  return (await readAddonRecords(api, signal)).filter((record) => !isUnfinished(record))
}

/** Installed ones, and those whose installation began and was never healthy. */
export async function readAddonRecords(api: KubernetesApi, signal: AbortSignal): Promise<InstalledAddon[]> {
  const records = await api.list(configMap, jobNamespace, { labelSelector: 'ichor.dev/record=addon' }, signal)
  return records.flatMap((record) => readRecord((record.data as Record<string, string>).addon ?? '') ?? [])
}

function isUnfinished({ hash }: InstalledAddon): boolean {
  return hash === ''
}

/** An installed addon and its state. */
export interface AddonState {
  readonly name: string
  readonly title: string
  readonly version: string
  /** Hash of what was installed, to detect a changed request. */
  readonly spec: string
  readonly managedBy: 'ichor' | 'gitops'
  /** Removing it can lose data. */
  readonly holdsData: boolean
  readonly healthy: boolean
  /** The first problem. */
  readonly reason?: string
  /** A part that was deleted: the next `up` restores it. */
  readonly missing?: string
}

/** An addon whose installation failed or was interrupted: parts of it may be there. */
export type UnfinishedAddon = Pick<InstalledAddon, 'name' | 'holdsData'>

/** Every installed addon and its state, for `status`, `health` and the planner, and the unfinished ones. */
export async function observeAddons(
  api: KubernetesApi,
  signal: AbortSignal,
): Promise<{ addons: AddonState[]; unfinishedAddons?: UnfinishedAddon[] }> {
  const records = await readAddonRecords(api, signal)
  const unfinished = records.filter(isUnfinished).map(({ name, holdsData }) => ({ name, holdsData }))
  const installed = records.filter((record) => !isUnfinished(record))
  const addons = await Promise.all(installed.map((addon) => stateOf(api, addon, signal)))
  return { addons, ...(unfinished.length === 0 ? {} : { unfinishedAddons: unfinished }) }
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
 * Problems of an addon: its checks, and missing objects that were applied besides its chart. For an addon that GitOps
 * manages, only the checks count, because GitOps may have replaced objects.
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

/** The deleted part of an addon; `undefined` if it is only unhealthy. */
function findMissingPart(problems: readonly string[]): string | undefined {
  return problems.find((problem) => problem.endsWith('does not exist'))
}

/** Written before anything of a new addon is applied, so that what fails can be removed. */
export function beginningOf(addon: PlannedAddon): KubernetesObject {
  return recordOf({ ...addon, hash: '' })
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
 * What to do about an addon. A missing part is restored. An addon that GitOps manages is installed once and then only
 * checked.
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
