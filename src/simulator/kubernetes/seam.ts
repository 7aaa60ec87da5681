import type { LabNetwork } from '../network.js'

/** The seam between a simulated Talos machine and the Kubernetes that runs on it. */
export interface KubernetesKind {
  /** What etcd holds right after its bootstrap, or what `save` gave. Shared by every control plane of the cluster. */
  openStore(facts: ClusterFacts, saved?: unknown): KubernetesStore
  /** What an etcd that was recovered from a snapshot holds. */
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
  /** As the config names it when etcd is made. */
  readonly proxyImage?: string
  /** Talos's inline manifests, applied once the API answers. */
  readonly inlineManifests: readonly { readonly name: string; readonly contents: string }[]
}

export interface KubernetesStore {
  /** A JSON value from which `openStore` can go on. */
  save(): unknown
  /** What an etcd snapshot contains. */
  content(): EtcdContent
  serveApi(options: ApiServerOptions): Promise<{ close(): Promise<void> }>
  startKubelet(options: KubeletOptions): SimulatedKubelet
  /** As the node itself does it around an upgrade; only what it cordoned is uncordoned. */
  cordon(node: string, isCordoned: boolean): void
  /** Asks once for the eviction of what a drain moves; says how many pods are still there. */
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
  /** Certificates of these are trusted beside those of the CA itself. */
  readonly acceptedCas?: readonly string[]
  /** Keys of Secrets in etcd, by name and hash: the first one writes. None: nothing is encrypted. */
  readonly encryptionKeys?: readonly string[]
  readonly serviceAccount?: ServiceAccountOptions
  readonly certSans: readonly string[]
  /** `v1.36.3`. */
  readonly version: string
  /** Those of this control plane's own config; those of the bootstrap by default. */
  readonly inlineManifests?: ClusterFacts['inlineManifests']
  /** Whether etcd has its majority: without it nothing is written and reads time out. */
  hasQuorum(): boolean
}

/** PEM texts from the machine config. */
export interface ServiceAccountOptions {
  readonly privateKey: string
  /** Public keys, beside that of its own. */
  readonly acceptedKeys: readonly string[]
  readonly issuer: string
}

export interface KubeletOptions {
  readonly nodeName: string
  readonly role: 'controlplane' | 'worker'
  readonly systemUuid: string
  /** Another one with every boot of the machine. */
  readonly bootId?: string
  /** Where the VM stands now, as Proxmox reports it to a cloud controller; a machine outside of Proxmox has none. */
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
  /** It registered its node with an API server before, and does so once: a node that is not there stays away. */
  readonly hasRegistered?: boolean
  /** What the node runs beside its pods from the API, now; on control planes only. */
  staticPods?(): readonly StaticPod[]
  /** Kubelets reach the API through KubePrism: any control plane that answers. */
  canReachApi(): boolean
}

export interface StaticPod {
  /** `kube-apiserver`. */
  readonly name: string
  readonly image: string
  /** Of the resource that it was made from. */
  readonly configVersion: string
  /** Of the secrets that it was started with. */
  readonly secretsVersion?: string
}

export interface SimulatedKubelet {
  readonly isNodeReady: boolean
  stop(): void
}
