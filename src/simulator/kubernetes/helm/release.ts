import { gunzipSync, gzipSync } from 'node:zlib'
import type { ChartTable } from '../charts/chart.js'
import { charts } from '../charts/index.js'
import { type ClusterState, findResourceOfKind, nowStamp } from '../cluster-state.js'
import { isMap, type JsonMap, mapAt, type StoredObject, textAt } from '../object.js'
import { builtInResources, resourceKey } from '../resources.js'
import { applyObject, createObject } from '../write/write-object.js'
import type { HelmCommand } from './helm-command.js'
import type { ContainerOutcome } from './run-container.js'

const helmManager = { fieldManager: 'helm', force: true, dryRun: false }

/**
 * `helm upgrade --install`: the objects in the chart's table, and a release that other tools can read. `undefined`
 * while helm is still running.
 */
export function installRelease(
  state: ClusterState,
  command: HelmCommand,
  values: JsonMap,
): ContainerOutcome | undefined {
  const problem = downloadProblem(state, command)
  if (problem !== undefined) return { succeeded: false, lines: [`Error: ${problem}`] }
  const table = charts.find((one) => one.chart === command.chart)
  const wrong = table === undefined ? unknownProblem(state, command) : chartProblem(table, command)
  if (wrong !== undefined) return { succeeded: false, lines: [`Error: ${wrong}`] }
  const { release, namespace } = command
  const objects =
    table?.render({ values, release, namespace, facts: state.facts }) ?? state.unknownCharts?.find(command, values)
  if (objects === undefined) return undefined
  if (objects instanceof Error) return { succeeded: false, lines: [`Error: ${objects.message}`] }
  const before = latestRelease(state, command)
  if (before?.status.startsWith('pending-'))
    return {
      succeeded: false,
      lines: ['Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress'],
    }
  ensureNamespace(state, command)
  for (const object of objects) put(state, object, command)
  removeOld(state, before?.manifest ?? [], objects)
  const revision = (before?.revision ?? 0) + 1
  writeRelease(state, command, revision, values, objects)
  return {
    succeeded: true,
    lines: [
      `Release "${command.release}" has been upgraded. Happy Helming!`,
      `NAMESPACE: ${command.namespace}`,
      'STATUS: deployed',
      `REVISION: ${revision}`,
    ],
  }
}

/** `helm uninstall`: CRDs in a chart's `crds` folder stay, as with the real one. */
export function uninstallRelease(state: ClusterState, command: HelmCommand): ContainerOutcome {
  const release = latestRelease(state, command)
  if (release === undefined) return { succeeded: true, lines: [`release: not found: ${command.release}`] }
  removeOld(state, release.manifest, [])
  for (const secret of releaseSecrets(state, command))
    state.objects.remove('secrets', command.namespace, secret.metadata.name)
  return { succeeded: true, lines: [`release "${command.release}" uninstalled`] }
}

/** A rule on `HELM /charts/<name>` simulates a repository that is down, or a chart that fails. */
function downloadProblem(state: ClusterState, { chart, repository }: HelmCommand): string | undefined {
  const rule = state.faults.meet({ surface: 'kubernetes', method: 'HELM', path: `/charts/${chart}`, mutating: false })
  if (rule === undefined) return undefined
  if (rule.action.kind === 'fail-task' || rule.action.kind === 'status') return rule.action.message
  return `looks like "${repository}" is not a valid chart repository or cannot be reached: Get "${repository}/index.yaml": dial tcp: connect: connection refused`
}

function unknownProblem(state: ClusterState, { chart, version, repository }: HelmCommand): string | undefined {
  if (state.unknownCharts !== undefined) return undefined
  return `chart "${chart}" is not known in this lab (wanted ${version} from ${repository}); with helm on this computer, ichor lab start --unknown-charts renders it`
}

function chartProblem(table: ChartTable, { chart, version, repository }: HelmCommand): string | undefined {
  const isMirror = repository.startsWith('oci://') && repository !== table.repository
  if (repository !== table.repository && !isMirror)
    return `chart "${chart}" matching ${version} not found in ${repository} index`
  return /^v?\d+\.\d+\.\d+/.test(version) ? undefined : `improper constraint: ${version}`
}

function ensureNamespace(state: ClusterState, { namespace, createNamespace }: HelmCommand) {
  if (state.objects.find('namespaces', undefined, namespace) !== undefined) return
  if (!createNamespace) throw new Error(`create: failed to create: namespaces "${namespace}" not found`)
  const resource = builtInResources.find(({ kind }) => kind === 'Namespace')
  if (resource === undefined) return
  createObject(
    state,
    { resource, namespace: undefined },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    helmManager,
  )
}

/** A kind whose CRD is part of the same chart is not served yet: helm waits for it, the lab stores it later. */
function put(state: ClusterState, object: JsonMap, command: HelmCommand) {
  const resource = findResourceOfKind(state, String(object.apiVersion), String(object.kind))
  if (resource === undefined)
    throw new Error(
      `resource mapping not found for name: "${textAt(object, 'metadata', 'name')}": no matches for kind "${object.kind}" in version "${object.apiVersion}"`,
    )
  const namespace = resource.namespaced ? (textAt(object, 'metadata', 'namespace') ?? command.namespace) : undefined
  const metadata = {
    ...mapAt(object, 'metadata'),
    annotations: {
      ...mapAt(object, 'metadata', 'annotations'),
      'meta.helm.sh/release-name': command.release,
      'meta.helm.sh/release-namespace': command.namespace,
    },
  }
  applyObject(
    state,
    { resource, namespace },
    textAt(object, 'metadata', 'name') ?? '',
    { ...object, metadata },
    helmManager,
  )
}

function removeOld(state: ClusterState, before: readonly JsonMap[], now: readonly JsonMap[]) {
  const kept = new Set(now.map(keyOf))
  for (const object of before) {
    if (kept.has(keyOf(object)) || object.kind === 'CustomResourceDefinition') continue
    const resource = findResourceOfKind(state, String(object.apiVersion), String(object.kind))
    if (resource === undefined) continue
    const namespace = resource.namespaced ? textAt(object, 'metadata', 'namespace') : undefined
    state.objects.remove(resourceKey(resource), namespace, textAt(object, 'metadata', 'name') ?? '')
  }
}

function keyOf(object: JsonMap): string {
  return [
    object.apiVersion,
    object.kind,
    textAt(object, 'metadata', 'namespace'),
    textAt(object, 'metadata', 'name'),
  ].join(' ')
}

interface Release {
  readonly revision: number
  readonly status: string
  readonly manifest: readonly JsonMap[]
}

function releaseSecrets(state: ClusterState, { release, namespace }: HelmCommand): readonly StoredObject[] {
  return state.objects
    .list('secrets')
    .filter(
      ({ metadata }) =>
        metadata.namespace === namespace && metadata.labels?.owner === 'helm' && metadata.labels.name === release,
    )
    .sort((one, other) => Number(one.metadata.labels?.version) - Number(other.metadata.labels?.version))
}

function latestRelease(state: ClusterState, command: HelmCommand): Release | undefined {
  const secret = releaseSecrets(state, command).at(-1)
  if (secret === undefined) return undefined
  const packed = Buffer.from(textAt(secret, 'data', 'release') ?? '', 'base64').toString()
  const decoded: unknown = packed === '' ? {} : JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString())
  const manifest: unknown = isMap(decoded) && typeof decoded.manifest === 'string' ? JSON.parse(decoded.manifest) : []
  return {
    revision: Number(secret.metadata.labels?.version),
    status: secret.metadata.labels?.status ?? '',
    manifest: Array.isArray(manifest) ? manifest.filter(isMap) : [],
  }
}

/** Helm's storage format: gzip in base64, inside the base64 of a Secret. */
function writeRelease(
  state: ClusterState,
  command: HelmCommand,
  revision: number,
  values: JsonMap,
  objects: readonly JsonMap[],
) {
  const { release: name, namespace, chart, version } = command
  for (const old of releaseSecrets(state, command))
    state.objects.put('secrets', {
      ...old,
      metadata: { ...old.metadata, labels: { ...old.metadata.labels, status: 'superseded' } },
    })
  const content = {
    name,
    namespace,
    version: revision,
    config: values,
    info: { status: 'deployed', last_deployed: nowStamp(state) },
    chart: { metadata: { name: chart, version } },
    manifest: JSON.stringify(objects),
  }
  const packed = gzipSync(JSON.stringify(content)).toString('base64')
  state.objects.put('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      namespace,
      uid: state.nextUid(),
      creationTimestamp: nowStamp(state),
      labels: { owner: 'helm', name, status: 'deployed', version: String(revision) },
    },
    data: { release: Buffer.from(packed).toString('base64') },
  })
}
