import type { SimClock } from '../core/clock.js'
import type { Faults } from '../core/faults.js'
import type { Ledger } from '../core/ledger.js'
import type { Tokens } from './api/tokens.js'
import type { UnknownCharts } from './helm/unknown-charts.js'
import { isMap, mapAt, mapsAt, type StoredObject, textAt, timestamp, valueAt } from './object.js'
import type { ObjectStore } from './object-store.js'
import { builtInResources, type Resource } from './resources.js'
import type { ClusterFacts, KubeletOptions } from './seam.js'

/** Everything that the API and the controllers of one simulated cluster share. */
export interface ClusterState {
  readonly clock: SimClock
  readonly faults: Faults
  readonly ledger: Ledger
  readonly facts: ClusterFacts
  readonly objects: ObjectStore
  /** Renders charts without a table. */
  readonly unknownCharts?: UnknownCharts
  /** Running kubelets, by node name. */
  readonly kubelets: Map<string, RunningKubelet>
  /** Model time of each node's last heartbeat. */
  readonly lastSeen: Map<string, number>
  /** What containers wrote, by `namespace/pod`. */
  readonly logs: Map<string, string[]>
  /** The CA with which an API server of this cluster was started: it signs kubelet certificates. */
  signer: { readonly crt: string; readonly key: string } | undefined
  /** Signers and verifiers of tokens: one per API server. */
  readonly issuers: Set<Pick<Tokens, 'keyId' | 'accepts'>>
  nextUid(): string
}

export interface RunningKubelet {
  readonly options: KubeletOptions
  /** Model time. */
  readonly startedAt: number
  /** A kubelet registers its node once; a node that is deleted later does not return until the kubelet restarts. */
  hasRegistered: boolean
  /** Its node as it left it at the last heartbeat. */
  reported?: { readonly node: StoredObject; readonly hasNetwork: boolean }
}

export function nowStamp(state: ClusterState): string {
  return timestamp(state.clock.now())
}

/** Built-in kinds and those of established CustomResourceDefinitions. */
export function servedResources(state: ClusterState): readonly Resource[] {
  const custom = state.objects.list('customresourcedefinitions.apiextensions.k8s.io').filter(isEstablished)
  return [...builtInResources, ...custom.map(resourceOfCrd)]
}

export function findResource(
  state: ClusterState,
  group: string,
  version: string,
  plural: string,
): Resource | undefined {
  return servedResources(state).find(
    (one) => one.group === group && one.plural === plural && one.versions.includes(version),
  )
}

export function findResourceOfKind(state: ClusterState, apiVersion: string, kind: string): Resource | undefined {
  const [group, version] = splitApiVersion(apiVersion)
  return servedResources(state).find(
    (one) => one.group === group && one.kind === kind && one.versions.includes(version),
  )
}

export function splitApiVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
}

export function isEstablished(crd: StoredObject): boolean {
  return mapsAt(crd, 'status', 'conditions').some((one) => one.type === 'Established' && one.status === 'True')
}

function resourceOfCrd(crd: StoredObject): Resource {
  const names = mapAt(crd, 'spec', 'names')
  const versions = mapsAt(crd, 'spec', 'versions').filter((version) => version.served !== false)
  const stored = versions.find((version) => version.storage === true)
  const ordered = [stored, ...versions.filter((version) => version !== stored)].flatMap(
    (one) => textAt(one, 'name') ?? [],
  )
  const hasStatus = versions.some((version) => isMap(mapAt(version, 'subresources').status))
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return {
    group: textAt(crd, 'spec', 'group') ?? '',
    versions: ordered,
    kind: String(names.kind),
    plural: String(names.plural),
    namespaced: textAt(crd, 'spec', 'scope') === 'Namespaced',
    shortNames: texts(names.shortNames),
    categories: texts(names.categories),
    hasStatus,
    subresources: hasStatus ? ['status'] : [],
    custom: true,
    schemaless: valueAt(stored, 'schema', 'openAPIV3Schema', 'x-kubernetes-preserve-unknown-fields') === true,
  }
}
