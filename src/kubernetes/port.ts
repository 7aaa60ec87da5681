import type { Taint } from '../cluster/machine.js'

/** PEM texts: the Kubernetes CA and an admin client certificate. */
export interface KubernetesCredentials {
  readonly ca: string
  readonly crt: string
  readonly key: string
}

export interface KubernetesPort {
  /** The API at one of these addresses (control planes, or the endpoint): the first that answers is kept until it fails. */
  at(endpoints: readonly { host: string; port: number }[]): KubernetesApi
  /** Who is let in, and who is trusted: asks for the version over a connection of its own, with these credentials. */
  greet(
    endpoint: { host: string; port: number },
    credentials: KubernetesCredentials,
    signal: AbortSignal,
  ): Promise<string>
  /** Whether the API server there takes this token of a service account for a good one. */
  takesToken(endpoint: { host: string; port: number }, token: string, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** The few calls we need. A failed one throws `KubernetesError` with verb, object and reason. */
export interface KubernetesApi {
  version(signal: AbortSignal): Promise<string>
  /** APIs that somebody has asked this API server for and that will go; for one endpoint at a time. */
  deprecatedApis(signal: AbortSignal): Promise<DeprecatedApi[]>
  /** Objects that somebody still writes with an API that goes between these minor versions, by their managed fields. */
  objectsOfRemovedApis(minors: { from: number; to: number }, signal: AbortSignal): Promise<DeprecatedApi[]>
  /** Charts that say which Kubernetes they support. */
  charts(signal: AbortSignal): Promise<InstalledChart[]>
  nodes(signal: AbortSignal): Promise<NodeInfo[]>
  setNodeLabels(name: string, labels: Readonly<Record<string, string | null>>, signal: AbortSignal): Promise<void>
  setNodeTaints(name: string, taints: readonly Taint[], signal: AbortSignal): Promise<void>
  /** Cordons and notes by whom, so that only our own cordon is lifted. */
  cordon(name: string, signal: AbortSignal): Promise<void>
  /** Lifts a cordon of ours; leaves anybody else's. */
  uncordon(name: string, signal: AbortSignal): Promise<void>
  /**
   * Evicts by the eviction API, PodDisruptionBudgets respected; leaves DaemonSet and mirror pods. `ignoresBudgets`: what a
   * budget holds when the time is up is deleted. `isForGood`: waits until its volumes are detached, too.
   */
  drain(
    name: string,
    options: {
      timeoutMs: number
      ignoresBudgets?: boolean
      isForGood?: boolean
      onProgress?: (line: string) => void
    },
    signal: AbortSignal,
  ): Promise<void>
  /** Nothing happens when it is gone already. */
  deleteNode(name: string, signal: AbortSignal): Promise<void>
  /** Server-side apply, in order: namespaces, CRDs (until established), the rest. */
  apply(manifests: readonly KubernetesObject[], options: ApplyManifestOptions, signal: AbortSignal): Promise<void>
  /** `undefined` when there is none. */
  find(
    kind: ObjectKind,
    namespace: string | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined>
  list(
    kind: ObjectKind,
    namespace: string | undefined,
    options: { labelSelector?: string },
    signal: AbortSignal,
  ): Promise<KubernetesObject[]>
  delete(kind: ObjectKind, namespace: string | undefined, name: string, signal: AbortSignal): Promise<void>
  /** Has an object written again as it is: with the key that writes now, where etcd holds it under another. Nothing when it is gone. */
  rewrite(kind: ObjectKind, namespace: string | undefined, name: string, signal: AbortSignal): Promise<void>
  /** A short-lived token of a service account, signed by the API server that answers. */
  requestToken(namespace: string, serviceAccount: string, signal: AbortSignal): Promise<string>
  podLogs(
    namespace: string,
    pod: string,
    options: { container?: string; tailLines?: number },
    signal: AbortSignal,
  ): Promise<string>
  pendingCsrs(signal: AbortSignal): Promise<KubernetesObject[]>
  approveCsr(name: string, signal: AbortSignal): Promise<void>
}

export interface DeprecatedApi {
  /** `policy/v1beta1 podsecuritypolicies`. */
  readonly name: string
  /** `1.25`; absent where no release is known to remove it. */
  readonly removedIn?: string
}

/** A chart that helm has installed, by whomever, and the versions of Kubernetes that it says it supports. */
export interface InstalledChart {
  readonly release: string
  readonly namespace: string
  readonly chart: string
  readonly version: string
  /** As the chart writes it: `>=1.25.0-0`. */
  readonly kubeVersion: string
}

export interface ObjectKind {
  readonly apiVersion: string
  readonly kind: string
}

export interface KubernetesObject extends ObjectKind {
  readonly metadata: {
    readonly name?: string
    readonly generateName?: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly resourceVersion?: string
    readonly uid?: string
  }
  readonly [field: string]: unknown
}

export interface ApplyManifestOptions {
  readonly fieldManager: string
  readonly force: boolean
}

export interface NodeInfo {
  readonly name: string
  /** Nodes are matched to machines by this, not by name. */
  readonly systemUuid: string
  readonly ready: boolean
  /** The boot that its kubelet reported from: until another one is reported, what is said of the node is from before. */
  readonly bootId?: string
  readonly unschedulable: boolean
  readonly kubeletVersion: string
  readonly internalAddresses: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly annotations: Readonly<Record<string, string>>
}
