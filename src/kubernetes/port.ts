import type { Taint } from '../cluster/machine.js'

/** PEM texts: the Kubernetes CA and an admin client certificate. */
export interface KubernetesCredentials {
  readonly ca: string
  readonly crt: string
  readonly key: string
}

export interface KubernetesPort {
  /**
   * The API at one of these addresses (control planes, or the endpoint): the first that responds is used until it
   * fails.
   */
  at(endpoints: readonly { host: string; port: number }[]): KubernetesApi
  /** Tests which certificates are accepted: requests the version over a separate connection with these credentials. */
  probe(
    endpoint: { host: string; port: number },
    credentials: KubernetesCredentials,
    signal: AbortSignal,
  ): Promise<string>
  /** That API server opens a new connection to the kubelet of the node; throws if it cannot. */
  dialKubelet(
    endpoint: { host: string; port: number },
    node: string,
    credentials: KubernetesCredentials,
    signal: AbortSignal,
  ): Promise<void>
  /** Whether that API server accepts this service account token. */
  takesToken(endpoint: { host: string; port: number }, token: string, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** The few calls that ichor needs. A failed one throws `KubernetesError` with verb, object and reason. */
export interface KubernetesApi {
  version(signal: AbortSignal): Promise<string>
  /** Deprecated APIs that clients have used on this API server; for one endpoint at a time. */
  deprecatedApis(signal: AbortSignal): Promise<DeprecatedApi[]>
  /**
   * Objects that are still written with an API that is removed between these minor versions, by their managed fields.
   */
  objectsOfRemovedApis(minors: { from: number; to: number }, signal: AbortSignal): Promise<DeprecatedApi[]>
  /** Charts that declare supported Kubernetes versions. */
  charts(signal: AbortSignal): Promise<InstalledChart[]>
  /**
   * Why this API server cannot decrypt every Secret, or `undefined` if it can; for one endpoint at a time. API servers
   * may have other keys than those that wrote them.
   */
  findSecretsProblem(signal: AbortSignal): Promise<string | undefined>
  nodes(signal: AbortSignal): Promise<NodeInfo[]>
  setNodeLabels(name: string, labels: Readonly<Record<string, string | null>>, signal: AbortSignal): Promise<void>
  setNodeTaints(name: string, taints: readonly Taint[], signal: AbortSignal): Promise<void>
  /**
   * Cordons and marks the cordon as ours, so that only our own is removed, with the volumes that are not attached as it
   * is.
   */
  cordon(name: string, signal: AbortSignal): Promise<void>
  /**
   * Removes our cordon; leaves any other. The mark goes last, when no volume of the cluster waits to be attached, but for
   * those that did when the node was cordoned.
   */
  uncordon(
    name: string,
    options: { timeoutMs: number; onProgress?: (line: string) => void },
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Evicts through the eviction API and respects PodDisruptionBudgets; leaves DaemonSet and mirror pods.
   * `ignoresBudgets`: pods that a budget protects are deleted after the timeout. Then waits until the volumes of these
   * pods are detached, as long again.
   */
  drain(
    name: string,
    options: {
      timeoutMs: number
      ignoresBudgets?: boolean
      /** It was drained before: pods that tolerate the cordon have returned, and stay. */
      isAgain?: boolean
      onProgress?: (line: string) => void
    },
    signal: AbortSignal,
  ): Promise<void>
  /** Does nothing if it does not exist. */
  deleteNode(name: string, signal: AbortSignal): Promise<void>
  /** Server-side apply, in order: namespaces, CRDs (until established), the rest. */
  apply(manifests: readonly KubernetesObject[], options: ApplyManifestOptions, signal: AbortSignal): Promise<void>
  /** `undefined` if there is none. */
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
  /**
   * Writes an object again unchanged, so that etcd stores it with the current key. Does nothing if it does not exist.
   */
  rewrite(kind: ObjectKind, namespace: string | undefined, name: string, signal: AbortSignal): Promise<void>
  /** A short-lived service account token, signed by the API server that responds. */
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
  /** `1.25`; absent if no known release removes it. */
  readonly removedIn?: string
}

/** A chart installed with helm, by anyone, and the Kubernetes versions that it declares to support. */
export interface InstalledChart {
  readonly release: string
  readonly namespace: string
  readonly chart: string
  readonly version: string
  /** As in the chart: `>=1.25.0-0`. */
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
  /** Nodes are matched to machines by this UUID, not by name. */
  readonly systemUuid: string
  /** `/etc/machine-id` of the system: a copy of a disk has that of its origin. */
  readonly machineId?: string
  readonly ready: boolean
  /** The boot that its kubelet reported from: until it changes, the node's status is from before the reboot. */
  readonly bootId?: string
  readonly unschedulable: boolean
  readonly kubeletVersion: string
  readonly internalAddresses: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly annotations: Readonly<Record<string, string>>
}
