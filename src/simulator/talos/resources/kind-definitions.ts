/**
 * Every kind of resource of Talos 1.13, one per line: its type, its namespace, further short names, and after a bar the
 * columns of `talosctl get` with the path of each in the spec. `!` marks a kind for admins only, `=` one that has only
 * the short names listed here.
 */
const table = `
APIServerConfigs.kubernetes.talos.dev! controlplane
APIServiceConfigs.runtime.talos.dev runtime
AcquireConfigSpecs.v1alpha1.talos.dev runtime
AcquireConfigStatuses.v1alpha1.talos.dev runtime
AddressSpecs.net.talos.dev network
AddressStatuses.net.talos.dev network address,addresses | Address {.address}; Link {.linkName}
AdjtimeStatuses.v1alpha1.talos.dev runtime | Offset {.offset}; EstError {.estError}; MaxError {.maxError}; Status {.status}; Sync {.syncStatus}
AdmissionControlConfigs.kubernetes.talos.dev controlplane
Affiliates.cluster.talos.dev cluster | Hostname {.hostname}; Machine Type {.machineType}; Addresses {.addresses}
ApiCertificates.secrets.talos.dev! secrets
AuditPolicyConfigs.kubernetes.talos.dev! controlplane
AuthorizationConfigs.kubernetes.talos.dev! controlplane
BlockDevices.block.talos.dev runtime | Type {.type}; PartitionName {.partitionName}; Generation {.generation}
BlockSymlinks.block.talos.dev runtime
BootedEntries.talos.dev runtime | Booted Entry {.bootedEntry}
BootstrapManifestsConfigs.kubernetes.talos.dev controlplane
CPUStats.perf.talos.dev perf | User {.cpuTotal.user}; System {.cpuTotal.system}
CertSANs.secrets.talos.dev! secrets
ConfigStatuses.kubernetes.talos.dev controlplane | Ready {.ready}; Secrets Version {.version}
ControllerManagerConfigs.kubernetes.talos.dev controlplane
DNSResolveCaches.net.talos.dev network | Status {.status}
DNSUpstreams.net.talos.dev network | Healthy {.healthy}; Address {.addr}
DeviceConfigSpecs.net.talos.dev! network
DevicesStatuses.runtime.talos.dev runtime | Ready {.ready}
Diagnostics.runtime.talos.dev runtime | Message {.message}
DiscoveredVolumes.block.talos.dev runtime | Type {.type}; Size {.pretty_size}; Discovered {.name}; Label {.label}; PartitionLabel {.partition_label}
DiscoveryConfigs.cluster.talos.dev! config
DiscoveryRefreshRequests.block.talos.dev runtime | Request {.request}
DiscoveryRefreshStatuses.block.talos.dev runtime | Request {.request}
Disks.block.talos.dev runtime | Size {.pretty_size}; Read Only {.readonly}; Transport {.transport}; Rotational {.rotational}; WWID {.wwid}; Model {.model}; Serial {.serial}
EncryptionSalts.secrets.talos.dev! secrets
Endpoints.kubernetes.talos.dev controlplane | Addresses {.addresses}; Hosts {.hosts}
Environments.runtime.talos.dev runtime env | Variables {.variables}
EtcFileSpecs.files.talos.dev! files
EtcFileStatuses.files.talos.dev files
EtcdConfigs.etcd.talos.dev etcd | Image {.image}
EtcdMembers.etcd.talos.dev etcd | Member ID {.memberID}
EtcdRootSecrets.secrets.talos.dev! secrets
EtcdSecrets.secrets.talos.dev! secrets
EtcdSpecs.etcd.talos.dev etcd | Name {.name}; AdvertisedAddresses {.advertisedAddresses}; ListenPeerAddresses {.listenPeerAddresses}; ListenClientAddresses {.listenClientAddresses}
EthernetSpecs.net.talos.dev network
EthernetStatuses.net.talos.dev network ethtool | Link {.linkState}; Speed {.speedMbit}
EventSinkConfigs.runtime.talos.dev runtime
ExtensionServiceConfigStatuses.runtime.talos.dev runtime
ExtensionServiceConfigs.runtime.talos.dev! runtime
ExtensionStatuses.runtime.talos.dev runtime extensions | Name {.metadata.name}; Version {.metadata.version}
ExtraManifestsConfigs.kubernetes.talos.dev controlplane
HardwareAddresses.net.talos.dev network
HostDNSConfigs.net.talos.dev network | Enabled {.enabled}
HostnameSpecs.net.talos.dev network
HostnameStatuses.net.talos.dev network hostname | Hostname {.hostname}; Domainname {.domainname}
Identities.cluster.talos.dev cluster | ID {.nodeId}
ImageCacheConfigs.cri.talos.dev cri | Status {.status}; CopyStatus {.copyStatus}; Roots {.roots}
ImageVerificationRules.security.talos.dev security | Pattern {.imagePattern}; Skip {.skip}; Deny {.deny}
Infos.cluster.talos.dev cluster | Cluster ID {.clusterId}; Cluster Name {.clusterName}
KernelCmdlines.runtime.talos.dev runtime cmdline | Cmdline {.cmdline}
KernelModuleSpecs.runtime.talos.dev runtime
KernelParamDefaultSpecs.runtime.talos.dev runtime
KernelParamSpecs.runtime.talos.dev runtime
KernelParamStatuses.runtime.talos.dev runtime sysctls,kernelparameters,kernelparams | Current {.current}; Default {.default}; Unsupported {.unsupported}
KmsgLogConfigs.runtime.talos.dev runtime
KubePrismConfigs.kubernetes.talos.dev k8s | Host {.host}; Port {.port}; Endpoints {.endpoints}
KubePrismEndpoints.kubernetes.talos.dev k8s | Hosts {.endpoints[*].host}; Ports {.endpoints[*].port}
KubePrismStatuses.kubernetes.talos.dev k8s | HOST {.host}; HEALTHY {.healthy}
KubeSpanConfigs.kubespan.talos.dev! config
KubeSpanEndpoints.kubespan.talos.dev kubespan | Endpoint {.endpoint}; Affiliate ID {.affiliateID}
KubeSpanIdentities.kubespan.talos.dev! kubespan | Address {.address}; PublicKey {.publicKey}
KubeSpanPeerSpecs.kubespan.talos.dev kubespan | Label {.label}; Endpoints {.endpoints}
KubeSpanPeerStatuses.kubespan.talos.dev kubespan | Label {.label}; Endpoint {.endpoint}; State {.state}; Rx {.receiveBytes}; Tx {.transmitBytes}
KubeletConfigs.kubernetes.talos.dev! k8s
KubeletKubeconfigs.kubernetes.talos.dev k8s | Hash {.hash}
KubeletLifecycles.kubernetes.talos.dev k8s
KubeletSecrets.secrets.talos.dev! secrets
KubeletSpecs.kubernetes.talos.dev! k8s
KubernetesAccessConfigs.cluster.talos.dev config
KubernetesDynamicCerts.secrets.talos.dev! secrets
KubernetesRootSecrets.secrets.talos.dev! secrets
KubernetesSecrets.secrets.talos.dev! secrets
LinkAliasSpecs.net.talos.dev network | Alias {.alias}
LinkRefreshes.net.talos.dev network
LinkSpecs.net.talos.dev! network
LinkStatuses.net.talos.dev network link,links | Alias {.alias}; Type {.type}; Kind {.kind}; Hw Addr {.hardwareAddr}; Oper State {.operationalState}; Link State {.linkState}
LoadedKernelModules.runtime.talos.dev runtime module,modules | State {.state}
MachineConfigs.config.talos.dev! config
MachineResetSignals.runtime.talos.dev runtime
MachineStatuses.runtime.talos.dev runtime | Stage {.stage}; Ready {.status.ready}
MachineTypes.config.talos.dev config | Type {@}
MaintenanceRootSecrets.secrets.talos.dev! secrets
MaintenanceServiceConfigs.runtime.talos.dev runtime
MaintenanceServiceRequests.runtime.talos.dev runtime
ManifestStatuses.kubernetes.talos.dev controlplane
Manifests.kubernetes.talos.dev controlplane
Members.cluster.talos.dev cluster | Hostname {.hostname}; Machine Type {.machineType}; OS {.operatingSystem}; Addresses {.addresses}
MemoryModules.hardware.talos.dev hardware memorymodules,ram | Manufacturer {.manufacturer}; Model {.productName}; SizeMiB {.sizeMiB}
MemoryStats.perf.talos.dev perf | Used {.used}; Total {.total}
MetaKeys.runtime.talos.dev runtime meta | Value {.value}
MetaLoads.runtime.talos.dev runtime | Done {.done}
MountRequests.block.talos.dev runtime | Volume {.volumeID}; Parent {.parentID}; Requesters {.requesters}
MountStatuses.block.talos.dev runtime | Source {.source}; Target {.target}; Filesystem {.filesystem}; Volume {.spec.volumeID}
MountStatuses.runtime.talos.dev= runtime mounts | Source {.source}; Target {.target}; Filesystem Type {.filesystemType}
NetworkStatuses.net.talos.dev network netstatus,netstatuses | Address {.addressReady}; Connectivity {.connectivityReady}; Hostname {.hostnameReady}; Etc {.etcFilesReady}
NfTablesChains.net.talos.dev network chain,chains | Type {.type}; Hook {.hook}; Priority {.priority}; Policy {.policy}
NodeAddressFilters.net.talos.dev network | Include Subnets {.includeSubnets}; Exclude Subnets {.excludeSubnets}
NodeAddressSortAlgorithms.net.talos.dev network | Algorithm {.algorithm}
NodeAddresses.net.talos.dev network | Addresses {.addresses}; SortAlgorithm {.sortAlgorithm}
NodeAnnotationSpecs.k8s.talos.dev! k8s | Value {.value}
NodeCordonedSpecs.k8s.talos.dev! k8s
NodeIPConfigs.kubernetes.talos.dev k8s
NodeIPs.kubernetes.talos.dev k8s
NodeLabelSpecs.k8s.talos.dev! k8s | Value {.value}
NodeStatuses.kubernetes.talos.dev k8s | Ready {.nodeReady}; Unschedulable {.unschedulable}
NodeTaintSpecs.k8s.talos.dev! k8s | Effect {.effect}; Value {.value}
Nodenames.kubernetes.talos.dev k8s | Nodename {.nodename}
OOMActions.talos.dev! runtime oomaction,oomactions | Time {.time}; Score {.score}
OSRootSecrets.secrets.talos.dev! secrets
OperatorSpecs.net.talos.dev! network
PCIDevices.hardware.talos.dev hardware devices,device | Class {.class}; Subclass {.subclass}; Vendor {.vendor}; Product {.product}
PCIDriverRebindConfigs.runtime.talos.dev hardware | Name {.name}; PCI ID {.pciID}; TargetDriver {.targetDriver}
PCIDriverRebindStatuses.runtime.talos.dev hardware pcidriverrebinds | Name {.name}; PCI ID {.pciID}; TargetDriver {.targetDriver}
PCRStatuses.hardware.talos.dev hardware
PKIStatuses.etcd.talos.dev etcd | Ready {.ready}; Secrets Version {.version}
PlatformConfigs.net.talos.dev network
PlatformMetadatas.talos.dev runtime | Platform {.platform}; Type {.instanceType}; Region {.region}; Zone {.zone}
ProbeSpecs.net.talos.dev network
ProbeStatuses.net.talos.dev network probe,probes | Success {.success}
Processors.hardware.talos.dev hardware cpus,cpu | Manufacturer {.manufacturer}; Model {.productName}; Cores {.coreCount}; Threads {.threadCount}
RegistryConfigs.cri.talos.dev! cri
ResolverSpecs.net.talos.dev network | Layer {.layer}; Resolvers {.dnsServers}; Search Domains {.searchDomains}
ResolverStatuses.net.talos.dev network resolvers | Resolvers {.dnsServers}; Search Domains {.searchDomains}
RouteSpecs.net.talos.dev network
RouteStatuses.net.talos.dev network route,routes | Destination {.dst}; Gateway {.gateway}; Link {.outLinkName}; Metric {.priority}
RoutingRuleSpecs.net.talos.dev network
RoutingRuleStatuses.net.talos.dev network routingrule,routingrules | Src {.src}; Dst {.dst}; Table {.table}; Priority {.priority}
SBOMItems.talos.dev runtime sbom,sboms | Version {.version}; License {.license}; Extension {.extension}
SchedulerConfigs.kubernetes.talos.dev controlplane
SeccompProfiles.cri.talos.dev cri
SecretStatuses.kubernetes.talos.dev controlplane | Ready {.ready}; Secrets Version {.version}
SecurityStates.talos.dev runtime | SecureBoot {.secureBoot}; UKISigningKeyFingerprint {.ukiSigningKeyFingerprint}; PCRSigningKeyFingerprint {.pcrSigningKeyFingerprint}; SELinuxState {.selinuxState}; ModuleSignatureEnforced {.moduleSignatureEnforced}
ServicePIDs.runtime.talos.dev runtime | PID {.pid}
Services.v1alpha1.talos.dev runtime svc | Running {.running}; Healthy {.healthy}; Health Unknown {.unknown}
SiderolinkConfigs.siderolink.talos.dev! config | API Endpoint {.apiEndpoint}; Tunnel {.tunnel}
SiderolinkStatuses.siderolink.talos.dev config | Host {.host}; Connected {.connected}
SiderolinkTunnels.siderolink.talos.dev! config | API Endpoint {.apiEndpoint}; Link name {.linkName}; MTU {.mtu}; Node address {.nodeAddress}
StaticPodServerStatuses.kubernetes.talos.dev k8s
StaticPodStatuses.kubernetes.talos.dev k8s podstatus | Ready {.conditions[?(@.type=="Ready")].status}
StaticPods.kubernetes.talos.dev k8s
SwapStatuses.block.talos.dev runtime swap,swaps | Device {.device}; Size {.sizeHuman}; Used {.usedHuman}; Priority {.priority}
SystemDisks.block.talos.dev runtime | Disk {.diskID}
SystemInformations.hardware.talos.dev hardware systeminformation | Manufacturer {.manufacturer}; ProductName {.productName}; Version {.version}; SerialNumber {.serialnumber}; UUID {.uuid}; WakeUpType {.wakeUpType}; SKUNumber {.skuNumber}
TUFTrustedRoots.security.talos.dev security | Last Refresh {.lastRefreshTime}
TimeServerSpecs.net.talos.dev network
TimeServerStatuses.net.talos.dev network timeserver,timeservers | Timeservers {.timeServers}
TimeStatuses.v1alpha1.talos.dev runtime | Synced {.synced}
TrustdCertificates.secrets.talos.dev! secrets
UniqueMachineTokens.runtime.talos.dev runtime | Token {.token}
UserDiskConfigStatuses.block.talos.dev runtime | Ready {.ready}
Versions.runtime.talos.dev runtime | Name {.name}; Version {.version}
VolumeConfigs.block.talos.dev! runtime
VolumeLifecycles.block.talos.dev runtime
VolumeMountRequests.block.talos.dev runtime | Volume ID {.volumeID}; Requester {.requester}
VolumeMountStatuses.block.talos.dev runtime | Volume ID {.volumeID}; Requester {.requester}; Target {.target}
VolumeStatuses.block.talos.dev runtime | Type {.type}; Phase {.phase}; Location {.location}; Size {.prettySize}
WatchdogTimerConfigs.runtime.talos.dev runtime | Device {.device}; Timeout {.timeout}
WatchdogTimerStatuses.runtime.talos.dev runtime | Device {.device}; Timeout {.timeout}
ZswapStatuses.block.talos.dev runtime | Total Size {.totalSizeHuman}; Stored Pages {.storedPages}; Written Back {.writtenBackPages}; Pool Limit Hit {.poolLimitHit}
Namespaces.meta.cosi.dev meta ns
ResourceDefinitions.meta.cosi.dev meta api-resources | Aliases {.aliases[:]}
`

/** What clients learn about a kind: its names and columns. */
export interface KindDefinition {
  readonly type: string
  readonly namespace: string
  /** `MachineStatus`. */
  readonly displayType: string
  readonly aliases: readonly string[]
  readonly allAliases: readonly string[]
  readonly columns: readonly { readonly name: string; readonly path: string }[]
  readonly isSensitive: boolean
}

const byType = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => readLine(line))
    .map((definition) => [definition.type, definition]),
)

export const knownDefinitions: readonly KindDefinition[] = [...byType.values()]

/** For a kind that 1.13 does not have yet, its names. */
export function definitionOf(type: string, namespace: string): KindDefinition {
  return byType.get(type) ?? readLine(`${type} ${namespace}`)
}

function readLine(line: string): KindDefinition {
  const [head = '', columns = ''] = line.split(' | ')
  const [marked = '', namespace = '', further = ''] = head.split(' ')
  const type = marked.replace(/[!=]+$/, '')
  const displayType = singular(type.split('.')[0] ?? '')
  const named = further === '' ? [] : further.split(',')
  const hasOnlyNamed = marked.endsWith('=')
  const aliases = hasOnlyNamed ? named : [...named, ...shortNames(displayType)]
  return {
    type,
    namespace,
    displayType,
    aliases,
    allAliases: hasOnlyNamed ? aliases : [...beginnings(type), ...aliases],
    columns: columns === '' ? [] : columns.split('; ').map(readColumn),
    isSensitive: marked.includes('!'),
  }
}

/** `Machine Type {.machineType}`. */
function readColumn(text: string): { name: string; path: string } {
  const at = text.indexOf(' {')
  return { name: text.slice(0, at), path: text.slice(at + 1) }
}

/** The name in lower case; its capitals, and those as a plural. */
function shortNames(displayType: string): string[] {
  const capitals = displayType.replace(/[^A-Z]/g, '').toLowerCase()
  const plurals = capitals.endsWith('s') ? [] : [`${capitals}s`]
  return [displayType.toLowerCase(), ...(capitals.length > 1 ? [capitals, ...plurals] : [])]
}

/** `links`, `links.net`, `links.net.talos` of `Links.net.talos.dev`. */
function beginnings(type: string): string[] {
  const parts = type.toLowerCase().split('.')
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join('.'))
}

function singular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return /(ss|us|sh|ch|x)es$/.test(plural) ? plural.slice(0, -2) : plural.replace(/s$/, '')
}
