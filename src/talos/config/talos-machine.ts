import type { Address, Cidr } from '../../cluster/address.js'
import type { Role, Taint } from '../../cluster/machine.js'
import type { ConfigObject } from './config-value.js'

/** Everything in the machine config of one node, as plain values: the input of `renderConfig`. */
export interface TalosMachine {
  readonly name: string
  readonly role: Role
  /** The version contract of the config, fixed when the cluster is created: `v1.13`. Not the running version. */
  readonly contract: string
  /**
   * The Talos version that reads the config, which may be newer than the contract: decides what a patch may use.
   * Default: the contract's.
   */
  readonly talosVersion?: string
  readonly cluster: TalosCluster
  /** From DHCP if absent. */
  readonly hostname?: string
  readonly install: { readonly disk: string; readonly image: string; readonly wipe: boolean }
  readonly links: readonly Link[]
  readonly nameservers: readonly Address[]
  readonly timeServers: readonly string[]
  readonly certSans: readonly string[]
  readonly kubelet: Kubelet
  /** The networks on which etcd peers reach a control plane with several networks; any address if absent. */
  readonly etcdSubnets?: readonly Cidr[]
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  /** Only those that the kubelet may set on itself at registration. */
  readonly taints: readonly Taint[]
  readonly userVolumes: readonly UserVolume[]
  readonly diskEncryption?: DiskEncryption
  readonly sysctls: Readonly<Record<string, string>>
  readonly kernelModules: readonly { readonly name: string; readonly parameters: readonly string[] }[]
  readonly registries: readonly Registry[]
  readonly ingressFirewall?: IngressFirewall
  /** `tcp://host:port` or `udp://host:port`. */
  readonly logDestinations: readonly string[]
  /** Variables for patches besides the facts of the machine, such as `node.pool` or `node.host`. */
  readonly variables?: Readonly<Record<string, string>>
  /** Applied in this order: cluster, role, pool, node. */
  readonly patches: readonly Patch[]
}

export interface TalosCluster {
  readonly name: string
  /** `https://10.0.10.10:6443`. */
  readonly endpoint: string
  /** `v1.36.3`. */
  readonly kubernetesVersion: string
  readonly dnsDomain: string
  readonly podSubnets: readonly Cidr[]
  readonly serviceSubnets: readonly Cidr[]
  readonly cni: { readonly name: 'flannel' | 'none' } | { readonly name: 'custom'; readonly urls: readonly string[] }
  readonly kubeProxy: boolean
  readonly discovery: boolean
  readonly kubePrism: boolean
  /** CoreDNS uses the node's resolver; true by default. Cilium with `bpf.masquerade` needs false. */
  readonly forwardKubeDnsToHost?: boolean
  readonly allowSchedulingOnControlPlanes: boolean
  readonly externalCloudProvider: boolean
  readonly apiServerCertSans: readonly string[]
  readonly featureGates: Readonly<Record<string, boolean>>
  /** The API server's audit policy; by default metadata only. */
  readonly auditPolicy?: ConfigObject
  /** The identity provider whose tokens the API server accepts. */
  readonly oidc?: Oidc
  readonly inlineManifests: readonly { readonly name: string; readonly contents: string }[]
}

/** An identity provider for user logins. */
export interface Oidc {
  readonly issuer: string
  readonly clientId: string
  readonly usernameClaim: string
  readonly usernamePrefix: string
  readonly groupsClaim: string
  readonly groupsPrefix: string
}

/** A network link, selected by MAC and never by a guessed name. */
export interface Link {
  readonly select: { readonly mac: string } | { readonly busPath: string }
  readonly addresses: readonly Cidr[]
  readonly routes: readonly { readonly destination?: Cidr; readonly gateway: Address; readonly metric?: number }[]
  readonly dhcp: boolean
  /** Use the hostname from DHCP. */
  readonly dhcpHostname: boolean
  readonly mtu?: number
  /** Control planes only. */
  readonly vip?: Address
  readonly vlans: readonly {
    readonly id: number
    readonly addresses: readonly Cidr[]
    readonly dhcp: boolean
    readonly vip?: Address
    readonly gateway?: Address
    readonly mtu?: number
  }[]
  /** With several selectors, this link and those form a bond. */
  readonly bond?: {
    readonly members: readonly { readonly mac: string }[]
    readonly mode: string
    readonly options: Readonly<Record<string, string | number>>
  }
}

export interface Kubelet {
  readonly nodeIpSubnets: readonly Cidr[]
  readonly extraArgs: Readonly<Record<string, string>>
  /** For metrics-server without insecure TLS. */
  readonly rotateServerCertificates: boolean
  readonly extraMounts: readonly {
    readonly source: string
    readonly destination: string
    readonly options: readonly string[]
  }[]
}

export interface UserVolume {
  readonly name: string
  /** CEL over `disk`, such as `disk.serial == "…"`. */
  readonly diskMatch: string
  /** The path of the disk or a link to it, for contracts without such expressions (before 1.10). */
  readonly devicePath?: string
  /** Bytes. */
  readonly minSize: number
}

export interface DiskEncryption {
  readonly state: boolean
  readonly ephemeral: boolean
  readonly key: 'node-id' | 'tpm'
}

export interface Registry {
  readonly host: string
  readonly mirrors: readonly string[]
  readonly skipFallback: boolean
  readonly insecure: boolean
  readonly ca?: string
  readonly auth?: { readonly username: string; readonly password: string }
}

export interface IngressFirewall {
  readonly defaultAction: 'accept' | 'block'
  readonly rules: readonly {
    readonly name: string
    readonly protocol: 'tcp' | 'udp' | 'icmp' | 'icmpv6'
    readonly ports: readonly (number | string)[]
    readonly from: readonly { readonly subnet: Cidr; readonly except?: Cidr }[]
  }[]
}

export interface Patch {
  /** Its source, for errors: `patches/kubelet.yaml`, or the place in the inventory. */
  readonly source: string
  /** Line of `source` on which the text starts. */
  readonly line: number
  readonly text: string
}
