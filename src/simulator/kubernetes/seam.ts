import type { LabNetwork } from '../core/network.js'

/** The interface between a simulated Talos machine and its Kubernetes. */
export interface KubernetesKind {
  /**
   * The content of etcd right after its bootstrap, or the value of `save`. Shared by all control planes of the cluster.
   */
  openStore(facts: ClusterFacts, saved?: unknown): KubernetesStore
  /** The content of an etcd that was recovered from a snapshot. */
  recoverStore(facts: ClusterFacts, content: EtcdContent): KubernetesStore
}

/** All keys of an etcd at one revision. */
export interface EtcdContent {
  readonly revision: number
  /** By revision. */
  readonly records: readonly EtcdRecord[]
}

export interface EtcdRecord {
  /** `/registry/pods/default/web`. */
  readonly key: string
  readonly value: string
  readonly createRevision: number
  readonly modRevision: number
  readonly version: number
}

export interface ClusterFacts {
  readonly name: string
  readonly podSubnets: readonly string[]
  readonly serviceSubnets: readonly string[]
  readonly cni: 'flannel' | 'none' | 'custom'
  readonly kubeProxy: boolean
  /** As in the config when etcd is bootstrapped. */
  readonly proxyImage?: string
  /** Talos's inline manifests, applied once the API responds. */
  readonly inlineManifests: readonly { readonly name: string; readonly contents: string }[]
}

export interface KubernetesStore {
  /** A JSON value that `openStore` continues from. */
  save(): unknown
  /** The content of an etcd snapshot. */
  content(): EtcdContent
  serveApi(options: ApiServerOptions): Promise<{ close(): Promise<void> }>
  startKubelet(options: KubeletOptions): SimulatedKubelet
  /** As the node does it around an upgrade; only what it cordoned is uncordoned. */
  cordon(node: string, isCordoned: boolean): void
  /** Requests the eviction of pods that a drain moves, once; returns the number of remaining pods. */
  evictPods(node: string): number
}

export interface ApiServerOptions {
  readonly network: LabNetwork
  /** Lab address; may be the VIP. */
  readonly address: string
  readonly port: number
  readonly nodeName: string
  /** PEM texts from the machine config. */
  readonly ca: { readonly crt: string; readonly key: string }
  /** CAs that are trusted besides the cluster's own. */
  readonly acceptedCas?: readonly string[]
  /** Keys of Secrets in etcd, by name and hash: the first one encrypts. Empty: nothing is encrypted. */
  readonly encryptionKeys?: readonly string[]
  readonly serviceAccount?: ServiceAccountOptions
  readonly certSans: readonly string[]
  /** `v1.36.3`. */
  readonly version: string
  /** Those in this control plane's config; those of the bootstrap by default. */
  readonly inlineManifests?: ClusterFacts['inlineManifests']
  /** Whether etcd has its majority: without it nothing is written and reads time out. */
  hasQuorum(): boolean
}

/** PEM texts from the machine config. */
export interface ServiceAccountOptions {
  readonly privateKey: string
  /** Public keys besides its own. */
  readonly acceptedKeys: readonly string[]
  readonly issuer: string
}

export interface KubeletOptions {
  readonly nodeName: string
  readonly role: 'controlplane' | 'worker'
  readonly systemUuid: string
  /** Changes with every boot of the machine. */
  readonly bootId?: string
  /** The VM's current host, as Proxmox reports it to a cloud controller; absent outside Proxmox. */
  placement?(): { readonly host: string; readonly vmid: number }
  readonly addresses: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[]
  readonly annotations: Readonly<Record<string, string>>
  readonly version: string
  readonly talosVersion: string
  readonly extensions: readonly string[]
  /** Names of the mounted user volumes. */
  readonly userVolumes: readonly string[]
  readonly externalCloudProvider: boolean
  readonly rotateServerCertificates: boolean
  /** It has registered its node before, and does so only once: a deleted node does not return. */
  readonly hasRegistered?: boolean
  /** The static pods of the node; on control planes only. */
  staticPods?(): readonly StaticPod[]
  /** Kubelets reach the API through KubePrism: any control plane that responds. */
  canReachApi(): boolean
}

export interface StaticPod {
  /** `kube-apiserver`. */
  readonly name: string
  readonly image: string
  /** Version of the resource that it was made from. */
  readonly configVersion: string
  /** Version of the secrets that it was started with. */
  readonly secretsVersion?: string
}

export interface SimulatedKubelet {
  readonly isNodeReady: boolean
  stop(): void
}
