import type { KubernetesObject } from '../kubernetes/port.js'

/**
 * One option of an addon in the inventory, as data: the schema, the reference page and the types are derived from it.
 */
export type AddonOption =
  | { readonly kind: 'text'; readonly help: string; readonly default?: string }
  | { readonly kind: 'flag'; readonly help: string; readonly default: boolean }
  | { readonly kind: 'count'; readonly help: string; readonly default: number; readonly max: number }
  | { readonly kind: 'ports'; readonly help: string }
  | { readonly kind: 'names'; readonly help: string; readonly default: readonly string[] }
  | { readonly kind: 'storage'; readonly help: string }
  /** It is sent to the address in another option of the same addon. */
  | { readonly kind: 'secret'; readonly sentTo: string; readonly help: string }

export type AddonOptions = Readonly<Record<string, AddonOption>>

/** Settings that every addon has. */
export type CommonSettings = {
  readonly version?: string
  readonly namespace?: string
  readonly values: Readonly<Record<string, unknown>>
  readonly managed_by: 'ichor' | 'gitops'
  readonly delivery: 'job' | 'inline' | 'helm'
}

/** The settings of any addon in the inventory. */
export interface AddonSettings extends CommonSettings {
  readonly [option: string]: unknown
}

/** What addons need to know about the cluster. */
export interface AddonContext {
  readonly clusterName: string
  readonly kubernetesVersion: string
  /** Addresses for load balancers: `10.0.10.200-10.0.10.220` or a network. */
  readonly loadBalancer: readonly string[]
  readonly controlPlanes: number
  readonly workers: number
  /** The CNI that Talos installs. */
  readonly cni?: 'flannel' | 'none' | 'custom'
  readonly proxmox: {
    /** `https://pve1.example.com:8006`. */
    readonly endpoint: string
    readonly insecure: boolean
    readonly region: string
    readonly datastore: string
  }
  /** By `addon.purpose`, such as `flux.key` or `proxmox_ccm.token_secret`; resolved by the caller. */
  readonly secrets: Readonly<Record<string, string>>
  readonly registry?: AddonRegistry
}

/** Mirrors of the public registries: `registry.example.com/mirror` for images, `oci://…` for charts. */
export interface AddonRegistry {
  readonly images?: string
  readonly charts?: string
}

/** What an addon needs from the machines, before they are created. */
export interface MachineNeeds {
  readonly cni?: 'none' | 'flannel'
  readonly kubeProxy?: boolean
  /** False: CoreDNS cannot reach the node's resolver. */
  readonly forwardsKubeDns?: boolean
  readonly rotateServerCertificates?: boolean
  readonly externalCloudProvider?: boolean
  /** Talos extensions: `siderolabs/iscsi-tools`. */
  readonly extensions?: readonly string[]
  readonly userVolumes?: readonly string[]
  /**
   * Nodes have the labels `topology.kubernetes.io/region` and `zone` (their Proxmox host), if no cloud controller sets
   * them.
   */
  readonly topologyLabels?: boolean
  /** Log destinations for Talos services and the kernel, in addition to those of the inventory. */
  readonly logDestinations?: readonly string[]
}

/** A separate user on Proxmox, with a token and only these privileges. */
export interface ProxmoxIdentity {
  /** `csi`: the user is `<cluster>-csi@pve`, and the secrets are `<addon>.token_id` and `<addon>.token_secret`. */
  readonly name: string
  readonly privileges: readonly string[]
  /** Available from that Proxmox version on: older ones refuse them. */
  readonly newerPrivileges?: readonly { readonly from: number; readonly privilege: string }[]
}

export interface ChartSource {
  readonly kind: 'chart'
  /** `https://…` for a repository, `oci://…` for a registry. */
  readonly repository: string
  readonly chart: string
  readonly version: string
  readonly release: string
  readonly values: Readonly<Record<string, unknown>>
}

export interface ManifestSource {
  readonly kind: 'manifests'
  readonly objects: readonly KubernetesObject[]
}

export interface ManifestReference {
  /** Address or path. */
  readonly source: string
  /** In hex; any other content is refused. */
  readonly sha256?: string
}

/** Downloaded or read by the caller, then treated like manifests. */
export interface ReferencedSource {
  readonly kind: 'references'
  readonly references: readonly ManifestReference[]
}

export interface Installation {
  readonly source: ChartSource | ManifestSource | ReferencedSource
  /** Applied first: namespaces with their labels, secrets. */
  readonly before?: readonly KubernetesObject[]
  /** Applied after the chart: objects that need its CRDs. */
  readonly after?: readonly KubernetesObject[]
}

/** When an addon works, as data: shown by `health`, awaited after installation. */
export type AddonCheck =
  | {
      readonly kind: 'rollout'
      readonly workload: 'Deployment' | 'DaemonSet' | 'StatefulSet'
      readonly namespace: string
      readonly name: string
    }
  | { readonly kind: 'crd'; readonly name: string }
  | { readonly kind: 'api-service'; readonly name: string }
  | {
      readonly kind: 'exists'
      readonly apiVersion: string
      readonly objectKind: string
      readonly namespace?: string
      readonly name: string
    }

/** An addon of the catalogue. One file each. */
export interface Addon<Name extends string = string, Options extends AddonOptions = AddonOptions> {
  /** Key in the inventory: `cert_manager`. */
  readonly name: Name
  readonly title: string
  readonly summary: string
  /** Version of the chart or manifests that this ichor was tested with. */
  readonly version: string
  readonly namespace: string
  readonly options: Options
  /** Installed after these, if they are installed. */
  readonly after: readonly string[]
  /** Dependencies that are installed even if the inventory does not list them. */
  readonly brings: (settings: AddonSettings) => readonly string[]
  readonly machines?: (settings: AddonSettings) => MachineNeeds
  readonly identities: readonly ProxmoxIdentity[]
  readonly install: (request: AddonRequest) => Installation
  readonly checks: (request: AddonRequest) => readonly AddonCheck[]
  /** It creates the default StorageClass, or its pods need volumes of one and `value` names another. */
  readonly volumes?: {
    readonly brings?: (settings: AddonSettings) => boolean
    readonly needsUnless?: { readonly value: readonly string[]; readonly example: string }
  }
  /** Its pods run on nodes with taints without a word in its values. */
  readonly toleratesTaints?: boolean
  /** Removing it can lose data, and needs consent. */
  readonly holdsData: boolean
  /** How its values were tested with the real chart; shown on the reference page. */
  readonly tried: 'chart' | 'other' | 'lab' | 'no-chart'
}

export interface AddonRequest {
  readonly settings: AddonSettings
  /** ServiceMonitors and PodMonitors can be created: their CRDs are installed before. */
  readonly isMonitored: boolean
  readonly context: AddonContext
  readonly namespace: string
  readonly version: string
}

type Defaults = 'options' | 'after' | 'brings' | 'identities' | 'holdsData' | 'checks'

/** An addon with defaults for everything that it omits. */
export function defineAddon<
  const Name extends string,
  const Options extends AddonOptions = Readonly<Record<never, never>>,
>(addon: Omit<Addon<Name, Options>, Defaults> & Partial<Pick<Addon<Name, Options>, Defaults>>): Addon<Name, Options> {
  const nothing = {} as Options
  return { options: nothing, after: [], brings: () => [], identities: [], holdsData: false, checks: () => [], ...addon }
}

/** A namespace; `privileged` if its pods need what Talos's default pod security forbids. */
export function namespaceObject(name: string, security: 'privileged' | 'default' = 'default'): KubernetesObject {
  const labels = security === 'privileged' ? privilegedLabels : undefined
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels === undefined ? {} : { labels }) } }
}

const privilegedLabels = {
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
}

/** A Secret from plain texts; written as `data`, which server-side apply can also remove. */
export function secretObject(
  name: string,
  namespace: string,
  texts: Readonly<Record<string, string>>,
  labels?: Readonly<Record<string, string>>,
): KubernetesObject {
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  )
  const metadata = { name, namespace, ...(labels === undefined ? {} : { labels }) }
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data }
}

export function rollout(
  workload: 'Deployment' | 'DaemonSet' | 'StatefulSet',
  namespace: string,
  name: string,
): AddonCheck {
  return { kind: 'rollout', workload, namespace, name }
}

/** A text option of an addon; `undefined` if the inventory does not set it. */
export function textOption(settings: AddonSettings, name: string): string | undefined {
  const value = settings[name]
  return typeof value === 'string' ? value : undefined
}

export function portsOption(settings: AddonSettings, name: string): readonly number[] {
  const value = settings[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : []
}
