import { inlineManifestOf } from '../addons/install-objects.js'
import { combineMachineNeeds, type PlannedAddon } from '../addons/planned-addon.js'
import { firewallPolicy } from '../capabilities/firewall/policy/policy.js'
import { talosRules } from '../capabilities/firewall/policy/talos-rules.js'
import type { Machine } from '../cluster/machine.js'
import { splitLabels } from '../cluster/node-labels.js'
import { minorOf, parseVersion } from '../cluster/version.js'
import type { PatchTexts } from '../inventory/patches.js'
import type { Settings } from '../inventory/schema.js'
import type { Link, TalosCluster, TalosMachine } from '../talos/config/talos-machine.js'
import type { ClusterSpec } from './cluster-spec.js'
import { systemDiskLink, volumesOf } from './data-disks.js'
import { installerFor } from './images.js'

/** Everything in the config of one machine. */
export function talosMachine(
  machine: Machine,
  endpoint: string,
  spec: ClusterSpec,
  inlineManifests: TalosCluster['inlineManifests'] = inlineManifestsOf(spec.addons, []),
): TalosMachine {
  const settings = withOwnVersions(spec.inventory.settings, machine)
  const { talos, network } = settings
  const needs = combineMachineNeeds(spec.addons)
  return {
    name: machine.name,
    role: machine.role,
    contract: contractOf(spec),
    talosVersion: settings.talos_version,
    cluster: { ...talosCluster(endpoint, settings, needs), inlineManifests },
    ...(talos.hostnames === 'static' ? { hostname: machine.name } : {}),
    install: { disk: installDisk(talos), image: installerFor(machine, settings).image, wipe: false },
    // An adopted machine keeps the network that it has, which its patches describe.
    links: machine.adopted === undefined ? machine.nics.map((nic, index) => linkOf(machine, index, nic, settings)) : [],
    nameservers: network.dns,
    timeServers: network.ntp,
    certSans: [...talos.cert_sans, ...(network.vip === undefined ? [] : [network.vip])],
    kubelet: {
      nodeIpSubnets:
        network.cidr === undefined
          ? []
          : [network.cidr, ...(network.ipv6?.cidr === undefined ? [] : [network.ipv6.cidr])],
      extraArgs: settings.kubernetes.kubelet_args,
      rotateServerCertificates: needs.rotateServerCertificates,
      extraMounts: settings.kubernetes.kubelet_mounts,
    },
    labels: splitLabels(machine.labels).allowed,
    annotations: {},
    taints: [],
    userVolumes: volumesOf(machine),
    ...(talos.disk_encryption === undefined ? {} : { diskEncryption: talos.disk_encryption }),
    sysctls: talos.sysctls,
    kernelModules: talos.kernel_modules,
    registries: talos.registries.map(({ host, mirrors, skip_fallback, insecure, ca }) => ({
      host,
      mirrors,
      skipFallback: skip_fallback,
      insecure,
      ...(ca === undefined ? {} : { ca }),
    })),
    ...ingressFirewallOf(machine, settings),
    logDestinations: [...new Set([...talos.log_destinations, ...needs.logDestinations])],
    patches: patchesOf(machine, spec.patches),
  }
}

/** An adopted machine keeps its versions until it is upgraded. */
function withOwnVersions(settings: Settings, { adopted }: Machine): Settings {
  const { talos, kubernetes } = adopted?.runs ?? {}
  if (talos === undefined && kubernetes === undefined) return settings
  return {
    ...settings,
    talos_version: talos ?? settings.talos_version,
    kubernetes_version: kubernetes ?? settings.kubernetes_version,
  }
}

/** Only an ISO installs: an image is the installed disk. */
function installDisk({ install_disk, boot }: Settings['talos']): string {
  return install_disk ?? (boot === 'iso' ? systemDiskLink : '/dev/sda')
}

/** The version contract of the configs: as configured, as recorded at creation, or that of the current version. */
export function contractOf({ inventory: { settings }, secrets }: Pick<ClusterSpec, 'inventory' | 'secrets'>): string {
  const today = parseVersion(settings.talos_version)
  return settings.talos.contract ?? secrets?.memory.contract ?? (today === undefined ? 'v1.13' : minorOf(today))
}

function talosCluster(
  endpoint: string,
  { cluster_name, kubernetes_version, kubernetes, network, talos, observability }: Settings,
  needs: ReturnType<typeof combineMachineNeeds>,
): Omit<TalosCluster, 'inlineManifests'> {
  return {
    name: cluster_name,
    endpoint,
    kubernetesVersion: kubernetes_version,
    dnsDomain: kubernetes.dns_domain,
    podSubnets: [network.pod_cidr, ...(network.ipv6 === undefined ? [] : [network.ipv6.pod_cidr])],
    serviceSubnets: [network.svc_cidr, ...(network.ipv6 === undefined ? [] : [network.ipv6.svc_cidr])],
    cni: { name: kubernetes.cni },
    kubeProxy: kubernetes.kube_proxy,
    discovery: talos.discovery,
    kubePrism: talos.kube_prism,
    ...(needs.forwardsKubeDns ? {} : { forwardKubeDnsToHost: false }),
    allowSchedulingOnControlPlanes: kubernetes.schedule_on_control_planes,
    externalCloudProvider: needs.externalCloudProvider,
    apiServerCertSans: [...talos.cert_sans, new URL(endpoint).hostname.replace(/^\[|\]$/g, '')],
    featureGates: kubernetes.feature_gates,
    ...auditPolicyOf(observability),
    ...oidcOf(kubernetes),
  }
}

function ingressFirewallOf({ role }: Machine, settings: Settings): Pick<TalosMachine, 'ingressFirewall'> {
  const { enabled, talos } = settings.firewall
  return enabled && talos ? { ingressFirewall: talosRules(firewallPolicy(settings, role)) } : {}
}

function auditPolicyOf({ audit_policy: policy }: Settings['observability']): Pick<TalosCluster, 'auditPolicy'> {
  if (policy === undefined) return {}
  return { auditPolicy: { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy } }
}

function oidcOf({ oidc }: Settings['kubernetes']): Pick<TalosCluster, 'oidc'> {
  if (oidc === undefined) return {}
  return {
    oidc: {
      issuer: oidc.issuer,
      clientId: oidc.client_id,
      usernameClaim: oidc.username_claim,
      usernamePrefix: oidc.username_prefix,
      groupsClaim: oidc.groups_claim,
      groupsPrefix: oidc.groups_prefix,
    },
  }
}

/**
 * Addons that Talos installs at first boot. A chart is included as a job with cluster-admin rights: once it is
 * installed it is removed from the config, because every reboot would restore these rights.
 */
export function inlineManifestsOf(
  addons: readonly PlannedAddon[],
  installed: readonly string[],
): TalosCluster['inlineManifests'] {
  return addons
    .filter(({ delivery }) => delivery === 'inline')
    .filter(({ source, name }) => source.kind !== 'chart' || !installed.includes(name))
    .map(inlineManifestOf)
}

function linkOf(machine: Machine, index: number, nic: Machine['nics'][number], { network, talos }: Settings): Link {
  const hasIpv6 = index === 0 && nic.addresses.some((address) => address.includes(':'))
  const gateway6 = hasIpv6 ? network.ipv6?.gateway : undefined
  const hasVip = index === 0 && machine.role === 'controlplane' && network.vip !== undefined
  return {
    select: { mac: nic.mac.toLowerCase() },
    addresses: nic.addresses,
    routes: [nic.gateway, gateway6].flatMap((gateway) => (gateway === undefined ? [] : [{ gateway }])),
    dhcp: nic.dhcp,
    dhcpHostname: talos.hostnames === 'dhcp',
    ...(nic.mtu === undefined ? {} : { mtu: nic.mtu }),
    ...(hasVip && network.vip !== undefined ? { vip: network.vip } : {}),
    vlans: [],
  }
}

function patchesOf({ name, role, pool }: Machine, patches: PatchTexts) {
  return [
    ...patches.cluster,
    ...(role === 'controlplane' ? patches.controlPlane : patches.worker),
    ...(patches.pools[pool] ?? []),
    ...(patches.nodes[name] ?? []),
  ]
}
