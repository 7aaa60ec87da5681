import type { KubernetesObject } from '../kubernetes/port.js'
import type { AddonCheck, Installation, MachineNeeds, ProxmoxIdentity } from './addon.js'

/** An addon as wanted in this cluster: a plain value, ready to be compared and installed. */
export interface PlannedAddon {
  /** `cert_manager`, or the name of a custom addon. */
  readonly name: string
  readonly title: string
  readonly namespace: string
  readonly version: string
  /** Planned addons that must be healthy before it is installed. */
  readonly needs: readonly string[]
  readonly machines: MachineNeeds
  readonly identities: readonly ProxmoxIdentity[]
  readonly source: Installation['source']
  readonly before: readonly KubernetesObject[]
  readonly after: readonly KubernetesObject[]
  readonly checks: readonly AddonCheck[]
  readonly managedBy: 'ichor' | 'gitops'
  readonly delivery: 'job' | 'inline' | 'helm'
  /** `may-bring`: what a custom addon installs is not known. */
  readonly volumes?: 'needs' | 'brings' | 'may-bring'
  /** The value that names another StorageClass than the default one. */
  readonly volumeValue?: string
  readonly holdsData: boolean
  /** Its pods run on tainted nodes by themselves; missing if that is not known. */
  readonly toleratesTaints?: boolean
  /** The image that runs helm, by digest. */
  readonly helmImage: string
  /** Changes with anything that would be installed differently. */
  readonly hash: string
}

/** The combined machine needs of all addons. */
export function combineMachineNeeds(addons: readonly PlannedAddon[]): Required<MachineNeeds> {
  const needs = addons.map(({ machines }) => machines)
  return {
    cni: needs.some(({ cni }) => cni === 'none') ? 'none' : 'flannel',
    kubeProxy: !needs.some(({ kubeProxy }) => kubeProxy === false),
    forwardsKubeDns: !needs.some(({ forwardsKubeDns }) => forwardsKubeDns === false),
    rotateServerCertificates: needs.some((one) => one.rotateServerCertificates === true),
    externalCloudProvider: needs.some((one) => one.externalCloudProvider === true),
    extensions: [...new Set(needs.flatMap((one) => one.extensions ?? []))],
    topologyLabels: needs.some((one) => one.topologyLabels === true),
    userVolumes: [...new Set(needs.flatMap((one) => one.userVolumes ?? []))],
    logDestinations: [...new Set(needs.flatMap((one) => one.logDestinations ?? []))],
  }
}
