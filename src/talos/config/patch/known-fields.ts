// Written by tests/conformance/talos-config/run.sh --write-known-fields from what Talos 1.8 to 1.14 know; conformance checks it.

/** Kinds of documents: `name@first-last`, `!` where it has a name, and its type. */
export const knownKinds = `
BGPInstanceConfig@14! network.BGPInstanceConfigV1Alpha1
BlackholeRouteConfig@13! network.BlackholeRouteConfigV1Alpha1
BondConfig@12! network.BondConfigV1Alpha1
BridgeConfig@12! network.BridgeConfigV1Alpha1
CRIBaseRuntimeSpecConfig@14 cri.CRIBaseRuntimeSpecConfigV1Alpha1
CRICustomizationConfig@14! cri.CRICustomizationConfigV1Alpha1
ContainerConfig@14! container.ContainerConfigV1Alpha1
DHCPv4Config@12! network.DHCPv4ConfigV1Alpha1
DHCPv6Config@12! network.DHCPv6ConfigV1Alpha1
DiscoveryIdentityConfig@14 cluster.DiscoveryIdentityConfigV1Alpha1
DiscoveryServiceConfig@14! cluster.DiscoveryServiceConfigV1Alpha1
DummyLinkConfig@12! network.DummyLinkConfigV1Alpha1
EnvironmentConfig@13 runtime.EnvironmentV1Alpha1
EtcFileConfig@14! runtime.EtcFileConfigV1Alpha1
EthernetConfig@10! network.EthernetConfigV1Alpha1
EventSinkConfig runtime.EventSinkV1Alpha1
ExistingVolumeConfig@11! block.ExistingVolumeConfigV1Alpha1
ExtensionServiceConfig! extensions.ServiceConfigV1Alpha1
ExternalVolumeConfig@13! block.ExternalVolumeConfigV1Alpha1
FilesystemScrubConfig@14 block.FilesystemScrubConfigV1Alpha1
FilesystemTrimConfig@14 block.FilesystemTrimConfigV1Alpha1
HCloudVIPConfig@12! network.HCloudVIPConfigV1Alpha1
HTTPProbeConfig@14! network.HTTPProbeConfigV1Alpha1
HostnameConfig@12 network.HostnameConfigV1Alpha1
ImageCacheConfig@14 cri.ImageCacheConfigV1Alpha1
ImageVerificationConfig@13 security.ImageVerificationConfigV1Alpha1
KernelModuleConfig@14! runtime.KernelModuleConfigV1Alpha1
KmsgLogConfig! runtime.KmsgLogV1Alpha1
KubeAPIServerCAConfig@14 k8s.KubeAPIServerCAConfigV1Alpha1
KubeAPIServerConfig@14 k8s.KubeAPIServerConfigV1Alpha1
KubeAdmissionControlConfig@14! k8s.KubeAdmissionControlConfigV1Alpha1
KubeAggregatorCAConfig@14 k8s.KubeAggregatorCAConfigV1Alpha1
KubeAuditPolicyConfig@14 k8s.KubeAuditPolicyConfigV1Alpha1
KubeAuthenticationConfig@14 k8s.KubeAuthenticationConfigV1Alpha1
KubeAuthorizerConfig@14! k8s.KubeAuthorizerConfigV1Alpha1
KubeClusterConfig@14 k8s.KubeClusterConfigV1Alpha1
KubeControllerManagerConfig@14 k8s.KubeControllerManagerConfigV1Alpha1
KubeCoreDNSConfig@14 k8s.KubeCoreDNSConfigV1Alpha1
KubeCredentialProviderConfig@14 k8s.KubeCredentialProviderConfigV1Alpha1
KubeEtcdEncryptionConfig@14 k8s.KubeEtcdEncryptionConfigV1Alpha1
KubeExternalManifestConfig@14! k8s.KubeExternalManifestConfigV1Alpha1
KubeFlannelCNIConfig@14 k8s.KubeFlannelCNIConfigV1Alpha1
KubeInlineManifestConfig@14! k8s.KubeInlineManifestConfigV1Alpha1
KubeNetworkConfig@14 k8s.KubeNetworkConfigV1Alpha1
KubeNodeConfig@14 k8s.KubeNodeConfigV1Alpha1
KubePrismConfig@14 k8s.KubePrismConfigV1Alpha1
KubeProxyConfig@14 k8s.KubeProxyConfigV1Alpha1
KubeSchedulerConfig@14 k8s.KubeSchedulerConfigV1Alpha1
KubeServiceAccountConfig@14 k8s.KubeServiceAccountConfigV1Alpha1
KubeSpanConfig@13 network.KubeSpanConfigV1Alpha1
KubeSpanEndpointsConfig network.KubespanEndpointsConfigV1Alpha1
KubeStaticPodConfig@14! k8s.KubeStaticPodConfigV1Alpha1
KubeTalosAPIAccessConfig@14 k8s.KubeTalosAPIAccessConfigV1Alpha1
KubeletConfig@14 k8s.KubeletConfigV1Alpha1
LVMLogicalVolumeConfig@14! storage.LVMLogicalVolumeConfigV1Alpha1
LVMVolumeGroupConfig@14! storage.LVMVolumeGroupConfigV1Alpha1
Layer2VIPConfig@12! network.Layer2VIPConfigV1Alpha1
LinkAliasConfig@12! network.LinkAliasConfigV1Alpha1
LinkConfig@12! network.LinkConfigV1Alpha1
NetworkDefaultActionConfig network.DefaultActionConfigV1Alpha1
NetworkRuleConfig! network.RuleConfigV1Alpha1
OOMConfig@12 runtime.OOMV1Alpha1
PCIDriverRebindConfig@10! hardware.PCIDriverRebindConfigV1Alpha1
RAIDArrayConfig@14! storage.RAIDArrayConfigV1Alpha1
RawVolumeConfig@11! block.RawVolumeConfigV1Alpha1
RegistryAuthConfig@12! cri.RegistryAuthConfigV1Alpha1
RegistryMirrorConfig@12! cri.RegistryMirrorConfigV1Alpha1
RegistryTLSConfig@12! cri.RegistryTLSConfigV1Alpha1
ResolverConfig@12 network.ResolverConfigV1Alpha1
RoutingRuleConfig@13! network.RoutingRuleConfigV1Alpha1
SecurityProfileConfig@14 runtime.SecurityProfileConfigV1Alpha1
SideroLinkConfig siderolink.ConfigV1Alpha1
StaticHostConfig@12! network.StaticHostConfigV1Alpha1
SwapVolumeConfig@11! block.SwapVolumeConfigV1Alpha1
SysctlConfig@14 runtime.SysctlConfigV1Alpha1
SysfsConfig@14 runtime.SysfsConfigV1Alpha1
TCPProbeConfig@13! network.TCPProbeConfigV1Alpha1
TimeSyncConfig@12 network.TimeSyncConfigV1Alpha1
TrustedRootsConfig! security.TrustedRootsConfigV1Alpha1
UdevRulesConfig@14 runtime.UdevRulesConfigV1Alpha1
UnattendedInstallConfig@14 runtime.UnattendedInstallConfigV1Alpha1
UserVolumeConfig@10! block.UserVolumeConfigV1Alpha1
VLANConfig@12! network.VLANConfigV1Alpha1
VRFConfig@13! network.VRFConfigV1Alpha1
VolumeConfig! block.VolumeConfigV1Alpha1
WatchdogTimerConfig runtime.WatchdogTimerV1Alpha1
WireguardConfig@12! network.WireguardConfigV1Alpha1
ZswapConfig@11 block.ZswapConfigV1Alpha1
v1alpha1 v1alpha1.Config
`

/** Types: `name@first-last`, then each field with its shape, which determines how it is merged. */
export const knownTypes = `
block.DiskSelector match:always
block.EncryptionKey@10 kms@10:block.EncryptionKeyKMS lockToState@11:flag nodeID@10:block.EncryptionKeyNodeID slot@10:number static@10:block.EncryptionKeyStatic tpm@10:block.EncryptionKeyTPM
block.EncryptionKeyKMS@10 endpoint@10:text
block.EncryptionKeyNodeID@10
block.EncryptionKeyStatic@10 passphrase@10:text
block.EncryptionKeyTPM@10 checkSecurebootStatusOnEnroll@10:flag options@12:block.EncryptionKeyTPMOptions
block.EncryptionKeyTPMOptions@12 pcrs@12:[number]
block.EncryptionSpec@10 allowDiscards@14:flag blockSize@10:number cipher@10:text keySize@10:number keys@10:[block.EncryptionKey] options@10:[text] provider@10:choice(none)
block.ExistingMountSpec@13 disableAccessTime@13:flag readOnly@13:flag secure@13:flag
block.ExistingVolumeConfigV1Alpha1@11 apiVersion@11:text discovery@11:.block.VolumeDiscoverySpec kind@11:text mount@11-12:.block.MountSpec mount@13:.block.ExistingMountSpec name@11:text scrub@14:block.ScrubConfig trim@14:block.TrimConfig
block.ExternalMountSpec@13 disableAccessTime@13:flag readOnly@13:flag secure@13:flag virtiofs@13:block.VirtiofsMountSpec
block.ExternalVolumeConfigV1Alpha1@13 apiVersion@13:text filesystemType@13:choice(none) kind@13:text mount@13:.block.ExternalMountSpec name@13:text
block.FilesystemScrubConfigV1Alpha1@14 apiVersion@14:text interval@14:number kind@14:text
block.FilesystemSpec@10 projectQuotaSupport@11:flag type@10:choice(none) xfs@14:block.XFSSpec
block.FilesystemTrimConfigV1Alpha1@14 apiVersion@14:text interval@14:number kind@14:text
block.MountSpec@11 disableAccessTime@14:flag readOnly@11-12:flag secure@13:flag
block.ProvisioningSpec diskSelector:.block.DiskSelector grow:flag maxSize:always minSize:always
block.RawVolumeConfigV1Alpha1@11 apiVersion@11:text encryption@11:.block.EncryptionSpec kind@11:text name@11:text provisioning@11:.block.ProvisioningSpec
block.ScrubConfig@14 enabled@14:flag interval@14:number
block.SwapVolumeConfigV1Alpha1@11 apiVersion@11:text encryption@11:.block.EncryptionSpec kind@11:text name@11:text provisioning@11:.block.ProvisioningSpec
block.SystemVolumeFilesystemSpec@14 xfs@14:block.XFSSpec
block.TrimConfig@14 enabled@14:flag interval@14:number
block.UserMountSpec@13 disableAccessTime@13:flag secure@13:flag
block.UserVolumeConfigV1Alpha1@10 apiVersion@10:text encryption@10:.block.EncryptionSpec filesystem@10:.block.FilesystemSpec kind@10:text mount@13:.block.UserMountSpec name@10:text provisioning@10:.block.ProvisioningSpec scrub@14:block.ScrubConfig trim@14:block.TrimConfig volumeType@12:always
block.VirtiofsMountSpec@13 tag@13:text
block.VolumeConfigV1Alpha1 apiVersion:text encryption@11:.block.EncryptionSpec filesystem@14:.block.SystemVolumeFilesystemSpec kind:text mount@13:.block.MountSpec name:text provisioning:.block.ProvisioningSpec scrub@14:block.ScrubConfig trim@14:block.TrimConfig
block.VolumeDiscoverySpec@11 volumeSelector@11:.block.VolumeSelector
block.VolumeSelector@11 match@11:always
block.XFSSpec@14 minAllocationGroupSize@14:always
block.ZswapConfigV1Alpha1@11 apiVersion@11:text kind@11:text maxPoolPercent@11:always shrinkerEnabled@11:flag
cluster.DiscoveryIdentityConfigV1Alpha1@14 apiVersion@14:text clusterID@14:text clusterSecret@14:text kind@14:text
cluster.DiscoveryServiceConfigV1Alpha1@14 apiVersion@14:text endpoint@14:always kind@14:text name@14:text
container.ContainerCapabilities@14 add@14:[text] drop@14:[text]
container.ContainerConfigV1Alpha1@14 apiVersion@14:text args@14:[text] dependsOn@14:container.ContainerDependsOn entrypoint@14:[text] environment@14:[text] image@14:text kind@14:text mounts@14:[container.ContainerMount] name@14:text network@14:container.ContainerNetwork resources@14:container.ContainerResources runAs@14:container.ContainerRunAs security@14:container.ContainerSecurity workingDir@14:text
container.ContainerDependsOn@14 containers@14:[text] networks@14:[text] paths@14:[text] time@14:flag
container.ContainerMount@14 hostPath@14:container.HostPathMount tmpfs@14:container.TmpfsMount userVolume@14:container.UserVolumeMount
container.ContainerNetwork@14 mode@14:text
container.ContainerResourceLimits@14 cpu@14:text memory@14:text
container.ContainerResources@14 limits@14:container.ContainerResourceLimits
container.ContainerRunAs@14 gid@14:always uid@14:always
container.ContainerSecurity@14 capabilities@14:container.ContainerCapabilities machinedAccess@14:flag profile@14:text
container.HostPathMount@14 destination@14:text options@14:[text] source@14:text
container.TmpfsMount@14 destination@14:text options@14:[text] size@14:text
container.UserVolumeMount@14 destination@14:text name@14:text options@14:[text]
cri.CRIBaseRuntimeSpecConfigV1Alpha1@14 apiVersion@14:text kind@14:text overrides@14:=free
cri.CRICustomizationConfigV1Alpha1@14 apiVersion@14:text content@14:text kind@14:text name@14:text
cri.ImageCacheConfigV1Alpha1@14 apiVersion@14:text kind@14:text local@14:.cri.LocalImageCacheConfig
cri.LocalImageCacheConfig@14 enabled@14:flag
cri.RegistryAuthConfigV1Alpha1@12 apiVersion@12:text auth@12:text identityToken@12:text kind@12:text name@12:text password@12:text username@12:text
cri.RegistryEndpoint@12 overridePath@12:flag url@12:always
cri.RegistryMirrorConfigV1Alpha1@12 apiVersion@12:text endpoints@12:[cri.RegistryEndpoint] kind@12:text name@12:text skipFallback@12:flag
cri.RegistryTLSConfigV1Alpha1@12 apiVersion@12:text ca@12:text clientIdentity@12:meta.CertificateAndKey insecureSkipVerify@12:flag kind@12:text name@12:text
extensions.ConfigFile content:text mountPath:text
extensions.ServiceConfigV1Alpha1 apiVersion:text configFiles:ConfigFileList[.extensions.ConfigFile] environment:[text] kind:text name:text
hardware.PCIDriverRebindConfigV1Alpha1@10 apiVersion@10:text kind@10:text name@10:text targetDriver@10:text
k8s.AcceptedServiceAccountConfig@14 audiences@14:[text] issuers@14:[always] publicKeys@14:[text]
k8s.IssuerServiceAccountConfig@14 issuerURL@14:always privateKey@14:text
k8s.KubeAPIServerCAConfigV1Alpha1@14 acceptedCAs@14:[text] apiVersion@14:text issuingCA@14:meta.CertificateAndKey kind@14:text
k8s.KubeAPIServerConfigV1Alpha1@14 apiPort@14:always apiVersion@14:text certExtraSANs@14:[text] env@14:{text} extraArgs@14:args image@14:text kind@14:text resources@14:.k8s.ResourcesConfig startupProbes@14:flag
k8s.KubeAdmissionControlConfigV1Alpha1@14 apiVersion@14:text configuration@14:free kind@14:text name@14:text
k8s.KubeAggregatorCAConfigV1Alpha1@14 acceptedCAs@14:[text] apiVersion@14:text issuingCA@14:meta.CertificateAndKey kind@14:text
k8s.KubeAuditPolicyConfigV1Alpha1@14 apiVersion@14:text configuration@14:=free kind@14:text
k8s.KubeAuthenticationConfigV1Alpha1@14 apiVersion@14:text configuration@14:=free kind@14:text
k8s.KubeAuthorizerConfigV1Alpha1@14 apiVersion@14:text kind@14:text name@14:text type@14:text webhook@14:free
k8s.KubeClusterConfigV1Alpha1@14 apiVersion@14:text clusterName@14:text endpoint@14:always kind@14:text
k8s.KubeControllerManagerConfigV1Alpha1@14 apiVersion@14:text enabled@14:flag env@14:{text} extraArgs@14:args image@14:text kind@14:text resources@14:.k8s.ResourcesConfig
k8s.KubeCoreDNSConfigV1Alpha1@14 apiVersion@14:text enabled@14:flag image@14:text kind@14:text
k8s.KubeCredentialProviderConfigV1Alpha1@14 apiVersion@14:text configuration@14:=free kind@14:text
k8s.KubeEtcdEncryptionConfigV1Alpha1@14 apiVersion@14:text config@14:free kind@14:text
k8s.KubeExternalManifestConfigV1Alpha1@14 apiVersion@14:text headers@14:{text} kind@14:text name@14:text url@14:always
k8s.KubeFlannelCNIConfigV1Alpha1@14 apiVersion@14:text backendExtraConfig@14:free backendMTU@14:number backendPort@14:number backendType@14:text extraArgs@14:[text] kind@14:text kubeNetworkPoliciesEnabled@14:flag resources@14:.k8s.ResourcesConfig
k8s.KubeInlineManifestConfigV1Alpha1@14 apiVersion@14:text kind@14:text manifest@14:text name@14:text
k8s.KubeNetworkConfigV1Alpha1@14 apiVersion@14:text dnsDomain@14:text kind@14:text nodeCIDRMaskSizeIPv4@14:number nodeCIDRMaskSizeIPv6@14:number podSubnets@14:=[always] serviceSubnets@14:=[always]
k8s.KubeNodeConfigV1Alpha1@14 annotations@14:{text} apiVersion@14:text kind@14:text labels@14:{text} nodeIP@14:.k8s.NodeIPConfig registerWithFQDN@14:flag skipNodeRegistration@14:flag taints@14:{text}
k8s.KubePrismConfigV1Alpha1@14 apiVersion@14:text kind@14:text port@14:number tlsServerName@14:text
k8s.KubeProxyConfigV1Alpha1@14 apiVersion@14:text config@14:free enabled@14:flag extraArgs@14:args image@14:text kind@14:text mode@14:text resources@14:.k8s.ResourcesConfig
k8s.KubeSchedulerConfigV1Alpha1@14 apiVersion@14:text config@14:free enabled@14:flag env@14:{text} extraArgs@14:args image@14:text kind@14:text resources@14:.k8s.ResourcesConfig
k8s.KubeServiceAccountConfigV1Alpha1@14 accepted@14:.k8s.AcceptedServiceAccountConfig apiVersion@14:text issuer@14:.k8s.IssuerServiceAccountConfig kind@14:text
k8s.KubeStaticPodConfigV1Alpha1@14 apiVersion@14:text kind@14:text name@14:text pod@14:=free
k8s.KubeTalosAPIAccessConfigV1Alpha1@14 allowedKubernetesNamespaces@14:[text] allowedRoles@14:[text] apiVersion@14:text kind@14:text
k8s.KubeletConfigV1Alpha1@14 apiVersion@14:text clusterDNS@14:[text] config@14:free defaultRuntimeSeccompProfileEnabled@14:flag extraArgs@14:args image@14:text kind@14:text
k8s.NodeIPConfig@14 validSubnets@14:[text]
k8s.ResourcesConfig@14 limits@14:free requests@14:free
meta.CertificateAndKey@12 cert@12:text key@12:text
network.AddressConfig@12 address@12:always routePriority@12:always
network.BGPBFDConfig@14 detectMultiplier@14:number receiveInterval@14:number transmitInterval@14:number
network.BGPImportRoute@14 bgpInstance@14:text prefixes@14:[always]
network.BGPInstanceConfigV1Alpha1@14 advertise@14:=[text] apiVersion@14:text importRoutes@14:=[network.BGPImportRoute] installRoutes@14:flag kind@14:text localASN@14:number maxPaths@14:number multipath@14:flag name@14:text neighbors@14:=[network.BGPNeighborConfig] routeSource@14:always routerID@14:always vrf@14:text
network.BGPNeighborConfig@14 address@14:always bfd@14:network.BGPBFDConfig holdTime@14:number link@14:text localASN@14:number passive@14:flag peerASN@14:number
network.BlackholeRouteConfigV1Alpha1@13 apiVersion@13:text kind@13:text metric@13:number name@13:text
network.BondConfigV1Alpha1@12 adActorSysPrio@12:always adLACPActive@12:always adSelect@12:always adUserPortKey@12:always addresses@12:[network.AddressConfig] allSlavesActive@12:always apiVersion@12:text arpAllTargets@12:always arpInterval@12:always arpIpTargets@12:[always] arpValidate@12:always bondMode@12:always downdelay@12:always failOverMac@12:always hardwareAddr@12:always kind@12:text lacpRate@12:always links@12:[text] lpInterval@12:always miimon@12:always minLinks@12:always missedMax@12:always mtu@12:number multicast@12:flag name@12:text nsIp6Targets@12:[always] numPeerNotif@12:always packetsPerSlave@12:always peerNotifDelay@12:always primaryReselect@12:always resendIGMP@12:always routes@12:[network.RouteConfig] tlbLogicalLb@12:always up@12:flag updelay@12:always useCarrier@12:flag xmitHashPolicy@12:always
network.BridgeConfigV1Alpha1@12 addresses@12:[network.AddressConfig] apiVersion@12:text hardwareAddr@12:always kind@12:text links@12:[text] mtu@12:number multicast@12:flag name@12:text routes@12:[network.RouteConfig] stp@12:.network.BridgeSTPConfig up@12:flag vlan@12:.network.BridgeVLANConfig
network.BridgeSTPConfig@12 enabled@12:flag
network.BridgeVLANConfig@12 filtering@12:flag
network.DHCPv4ConfigV1Alpha1@12 apiVersion@12:text clientIdentifier@12:always duidRaw@12:always ignoreHostname@12:flag ignoreRoutes@14:flag kind@12:text name@12:text routeMetric@12:number
network.DHCPv6ConfigV1Alpha1@12 apiVersion@12:text clientIdentifier@12:always duidRaw@12:always ignoreHostname@12:flag kind@12:text name@12:text routeMetric@12:number
network.DefaultActionConfigV1Alpha1 apiVersion:text ingress:choice(accept) kind:text
network.DummyLinkConfigV1Alpha1@12 addresses@12:[network.AddressConfig] apiVersion@12:text hardwareAddr@12:always kind@12:text mtu@12:number multicast@12:flag name@12:text routes@12:[network.RouteConfig] up@12:flag
network.EthernetChannelsConfig@10 combined@10:always other@10:always rx@10:always tx@10:always
network.EthernetConfigV1Alpha1@10 apiVersion@10:text channels@10:network.EthernetChannelsConfig features@10:{flag} kind@10:text name@10:text rings@10:network.EthernetRingsConfig wakeOnLan@12:[choice(WOLMode(0))]
network.EthernetRingsConfig@10 cqe-size@10:always rx@10:always rx-buf-len@10:always rx-jumbo@10:always rx-mini@10:always rx-push@10:flag tcp-data-split@10:flag tx@10:always tx-push@10:flag tx-push-buf-len@10:always
network.HCloudVIPConfigV1Alpha1@12 apiToken@12:text apiVersion@12:text kind@12:text link@12:text name@12:text
network.HTTPProbeConfigV1Alpha1@14 apiVersion@14:text failureThreshold@14:number interval@14:number kind@14:text name@14:text timeout@14:number url@14:always
network.HostDNSConfig@14 enabled@14:flag forwardKubeDNSToHost@14:flag resolveMemberNames@14:flag
network.HostnameConfigV1Alpha1@12 apiVersion@12:text auto@12:always hostname@12:text kind@12:text
network.IngressRule except:always subnet:always
network.KubeSpanConfigV1Alpha1@13 advertiseKubernetesNetworks@13:flag allowDownPeerBypass@13:flag apiVersion@13:text enabled@13:flag filters@13:network.KubeSpanFiltersConfig harvestExtraEndpoints@13:flag kind@13:text mtu@13:always
network.KubeSpanFiltersConfig@13 endpoints@13:[text] excludeAdvertisedNetworks@13:[always]
network.KubespanEndpointsConfigV1Alpha1 apiVersion:text extraAnnouncedEndpoints:[always] kind:text
network.Layer2VIPConfigV1Alpha1@12 apiVersion@12:text kind@12:text link@12:text name@12:text
network.LinkAliasConfigV1Alpha1@12 apiVersion@12:text kind@12:text name@12:text selector@12:.network.LinkSelector
network.LinkConfigV1Alpha1@12 addresses@12:[network.AddressConfig] apiVersion@12:text kind@12:text mtu@12:number multicast@12:flag name@12:text routes@12:[network.RouteConfig] up@12:flag
network.LinkSelector@12 match@12:always
network.NTPConfig@12 servers@12:[text] useNTS@14:flag
network.NameserverConfig@12 address@12:always protocol@14:choice(Do53) tlsServerName@14:text
network.PTPConfig@12 devices@12:[text]
network.ResolverConfigV1Alpha1@12 apiVersion@12:text hostDNS@14:.network.HostDNSConfig kind@12:text nameservers@12:[network.NameserverConfig] searchDomains@12:.network.SearchDomainsConfig
network.RouteConfig@12 destination@12:always gateway@12:always metric@12:number mtu@12:number source@12:always table@12:choice(unspec)
network.RoutingRuleConfigV1Alpha1@13 action@13:choice(unspec) apiVersion@13:text dst@13:always fwMark@13:number fwMask@13:number iifName@13:text kind@13:text name@13:text oifName@13:text src@13:always table@13:choice(unspec)
network.RuleConfigV1Alpha1 apiVersion:text ingress:=[network.IngressRule] kind:text name:text portSelector:.network.RulePortSelector
network.RulePortSelector ports:=[always] protocol:choice(Protocol(0))
network.SearchDomainsConfig@12 disableDefault@12:flag domains@12-13:[text] domains@14:=[text]
network.StaticHostConfigV1Alpha1@12 apiVersion@12:text hostnames@12:[text] kind@12:text name@12:text
network.TCPProbeConfigV1Alpha1@13 apiVersion@13:text endpoint@13:text failureThreshold@13:number interval@13:number kind@13:text name@13:text timeout@13:number
network.TimeSyncConfigV1Alpha1@12 apiVersion@12:text bootTimeout@12:number enabled@12:flag kind@12:text ntp@12:network.NTPConfig ptp@12:network.PTPConfig
network.VLANConfigV1Alpha1@12 addresses@12:[network.AddressConfig] apiVersion@12:text kind@12:text mtu@12:number multicast@12:flag name@12:text parent@12:text routes@12:[network.RouteConfig] up@12:flag vlanID@12:number vlanMode@12:always
network.VRFConfigV1Alpha1@13 addresses@13:[network.AddressConfig] apiVersion@13:text hardwareAddr@13:always kind@13:text links@13:[text] mtu@13:number multicast@13:flag name@13:text routes@13:[network.RouteConfig] table@13:choice(unspec) up@13:flag
network.WireguardConfigV1Alpha1@12 addresses@12:[network.AddressConfig] apiVersion@12:text firewallMark@12:number kind@12:text listenPort@12:number mtu@12:number multicast@12:flag name@12:text peers@12:[network.WireguardPeer] privateKey@12:text routes@12:[network.RouteConfig] up@12:flag
network.WireguardPeer@12 allowedIPs@12:[always] endpoint@12:always persistentKeepaliveInterval@12:number presharedKey@12:text publicKey@12:text
runtime.DiskSelectorSpec@14 match@14:always
runtime.EnvironmentV1Alpha1@13 apiVersion@13:text kind@13:text variables@13:{text}
runtime.EtcFileConfigV1Alpha1@14 apiVersion@14:text contents@14:text kind@14:text mode@14:number name@14:text
runtime.EventSinkV1Alpha1 apiVersion:text endpoint:text kind:text
runtime.InstallerSpec@14 image@14:text
runtime.KernelModuleConfigV1Alpha1@14 apiVersion@14:text kind@14:text name@14:text parameters@14:[text]
runtime.KmsgLogV1Alpha1 apiVersion:text kind:text name:text url:always
runtime.OOMV1Alpha1@12 apiVersion@12:text cgroupRankingExpression@12:always kind@12:text sampleInterval@12:number strictCgroupClassOrdering@13:flag triggerExpression@12:always
runtime.ProvisioningSpec@14 diskSelector@14:.runtime.DiskSelectorSpec wipe@14:flag
runtime.SecurityProfileConfigV1Alpha1@14 apiVersion@14:text kind@14:text workloadIsolation@14:flag
runtime.SysctlConfigV1Alpha1@14 apiVersion@14:text kind@14:text params@14:{text}
runtime.SysfsConfigV1Alpha1@14 apiVersion@14:text kind@14:text params@14:{text}
runtime.UdevRulesConfigV1Alpha1@14 apiVersion@14:text kind@14:text rules@14:[text]
runtime.UnattendedInstallConfigV1Alpha1@14 apiVersion@14:text installer@14:.runtime.InstallerSpec kind@14:text provisioning@14:.runtime.ProvisioningSpec reboot@14:flag
runtime.WatchdogTimerV1Alpha1 apiVersion:text device:text kind:text timeout:number
security.ImageKeylessVerifierV1Alpha1@13 issuer@13:text subject@13:text subjectRegex@13:text
security.ImagePublicKeyVerifierV1Alpha1@13 certificate@13:text
security.ImageVerificationConfigV1Alpha1@13 apiVersion@13:text kind@13:text rules@13:ImageVerificationRules[.security.ImageVerificationRuleV1Alpha1]
security.ImageVerificationRuleV1Alpha1@13 deny@13:flag image@13:text keyless@13:security.ImageKeylessVerifierV1Alpha1 publicKey@13:security.ImagePublicKeyVerifierV1Alpha1 skip@13:flag
security.TrustedRootsConfigV1Alpha1 apiVersion:text certificates:text kind:text name:text
siderolink.ConfigV1Alpha1 apiUrl:always apiVersion:text kind:text uniqueToken@10:text
storage.LVMLogicalVolumeConfigV1Alpha1@14 apiVersion@14:text kind@14:text mirrors@14:always name@14:text provisioning@14:.storage.LVMLogicalVolumeProvisioningSpec stripes@14:always type@14:choice(linear)
storage.LVMLogicalVolumeProvisioningSpec@14 maxSize@14:always minSize@14:always volumeGroup@14:text
storage.LVMVolumeGroupConfigV1Alpha1@14 apiVersion@14:text kind@14:text name@14:text provisioning@14:.storage.ProvisioningSpec
storage.LVMVolumeSelectorSpec@14 match@14:always
storage.ProvisioningSpec@14 volumeSelector@14:.storage.LVMVolumeSelectorSpec
storage.RAIDArrayConfigV1Alpha1@14 apiVersion@14:text kind@14:text level@14:choice(raid1) metadata@14:choice(1.0) name@14:text provisioning@14:.storage.RAIDProvisioningSpec
storage.RAIDProvisioningSpec@14 volumeSelector@14:.storage.RAIDVolumeSelector
storage.RAIDVolumeSelector@14 match@14:always
v1alpha1.APIServerConfig admissionControl:AdmissionPluginConfigList[v1alpha1.AdmissionPluginConfig] auditPolicy:=free authorizationConfig@9:[v1alpha1.AuthorizationConfigAuthorizerConfig] certSANs:[text] disablePodSecurityPolicy:flag env:{text} extraArgs@8-12:{text} extraArgs@13:args extraVolumes:[v1alpha1.VolumeMountConfig] image:text resources:v1alpha1.ResourcesConfig
v1alpha1.AdminKubeconfigConfig certLifetime:number
v1alpha1.AdmissionPluginConfig configuration:free name:text
v1alpha1.AuthorizationConfigAuthorizerConfig@9 name@9:text type@9:text webhook@9:free
v1alpha1.Bond adActorSysPrio:number adActorSystem:text adSelect:text adUserPortKey:number allSlavesActive:number arpAllTargets:text arpIPTarget:[text] arpInterval:number arpValidate:text deviceSelectors:[v1alpha1.NetworkDeviceSelector] downdelay:number failOverMac:text interfaces:[text] lacpRate:text lpInterval:number miimon:number minLinks:number mode:text numPeerNotif:number packetsPerSlave:number peerNotifyDelay:number primary:text primaryReselect:text resendIgmp:number tlbDynamicLb:number updelay:number useCarrier:flag xmitHashPolicy:text
v1alpha1.Bridge interfaces:[text] stp:v1alpha1.STP vlan:v1alpha1.BridgeVLAN
v1alpha1.BridgePort@9 master@9:text
v1alpha1.BridgeVLAN vlanFiltering:flag
v1alpha1.CNIConfig flannel:v1alpha1.FlannelCNIConfig name:text urls:[text]
v1alpha1.ClusterConfig acceptedCAs:[=x509.PEMEncodedCertificate] adminKubeconfig:v1alpha1.AdminKubeconfigConfig aescbcEncryptionSecret:text aggregatorCA:=x509.PEMEncodedCertificateAndKey allowSchedulingOnControlPlanes:flag allowSchedulingOnMasters:flag apiServer:v1alpha1.APIServerConfig ca:=x509.PEMEncodedCertificateAndKey clusterName:text controlPlane:v1alpha1.ControlPlaneConfig controllerManager:v1alpha1.ControllerManagerConfig coreDNS:v1alpha1.CoreDNS discovery:v1alpha1.ClusterDiscoveryConfig etcd:v1alpha1.EtcdConfig externalCloudProvider:v1alpha1.ExternalCloudProviderConfig extraManifestHeaders:{text} extraManifests:[text] id:text inlineManifests:[v1alpha1.ClusterInlineManifest] network:v1alpha1.ClusterNetworkConfig proxy:v1alpha1.ProxyConfig scheduler:v1alpha1.SchedulerConfig secret:text secretboxEncryptionSecret:text serviceAccount:=x509.PEMEncodedKey token:text
v1alpha1.ClusterDiscoveryConfig enabled:flag registries:.v1alpha1.DiscoveryRegistriesConfig
v1alpha1.ClusterInlineManifest contents:text name:text
v1alpha1.ClusterNetworkConfig cni:v1alpha1.CNIConfig dnsDomain:text podSubnets:=[text] serviceSubnets:=[text]
v1alpha1.Config cluster:v1alpha1.ClusterConfig debug:flag machine:v1alpha1.MachineConfig persist:flag version:text
v1alpha1.ControlPlaneConfig endpoint:always localAPIServerPort:number
v1alpha1.ControllerManagerConfig env:{text} extraArgs@8-12:{text} extraArgs@13:args extraVolumes:[v1alpha1.VolumeMountConfig] image:text resources:v1alpha1.ResourcesConfig
v1alpha1.CoreDNS disabled:flag image:text
v1alpha1.DHCPOptions duidv6:text ipv4:flag ipv6:flag routeMetric:number
v1alpha1.Device addresses:[text] bond:v1alpha1.Bond bridge:v1alpha1.Bridge bridgePort@9:v1alpha1.BridgePort cidr:text deviceSelector:v1alpha1.NetworkDeviceSelector dhcp:flag dhcpOptions:v1alpha1.DHCPOptions dummy:flag ignore:flag interface:text mtu:number routes:[v1alpha1.Route] vip:v1alpha1.DeviceVIPConfig vlans:VlanList[v1alpha1.Vlan] wireguard:v1alpha1.DeviceWireguardConfig
v1alpha1.DeviceVIPConfig equinixMetal:v1alpha1.VIPEquinixMetalConfig hcloud:v1alpha1.VIPHCloudConfig ip:text
v1alpha1.DeviceWireguardConfig firewallMark:number listenPort:number peers:[v1alpha1.DeviceWireguardPeer] privateKey:text
v1alpha1.DeviceWireguardPeer allowedIPs:[text] endpoint:text persistentKeepaliveInterval:number publicKey:text
v1alpha1.DiscoveryRegistriesConfig kubernetes:.v1alpha1.RegistryKubernetesConfig service:.v1alpha1.RegistryServiceConfig
v1alpha1.DiskPartition mountpoint:text size:number
v1alpha1.EncryptionConfig blockSize:number cipher:text keySize:number keys:[v1alpha1.EncryptionKey] options:[text] provider:text
v1alpha1.EncryptionKey kms:v1alpha1.EncryptionKeyKMS nodeID:v1alpha1.EncryptionKeyNodeID slot:number static:v1alpha1.EncryptionKeyStatic tpm:v1alpha1.EncryptionKeyTPM
v1alpha1.EncryptionKeyKMS endpoint:text
v1alpha1.EncryptionKeyNodeID
v1alpha1.EncryptionKeyStatic passphrase:text
v1alpha1.EncryptionKeyTPM checkSecurebootStatusOnEnroll:flag
v1alpha1.EtcdConfig advertisedSubnets:[text] ca:=x509.PEMEncodedCertificateAndKey extraArgs@8-12:{text} extraArgs@13:args image:text listenSubnets:[text] subnet:text
v1alpha1.ExternalCloudProviderConfig enabled:flag manifests:[text]
v1alpha1.ExtraHost aliases:[text] ip:text
v1alpha1.ExtraMount destination:text gidMappings:[v1alpha1.LinuxIDMapping] options:[text] source:text type:text uidMappings:[v1alpha1.LinuxIDMapping]
v1alpha1.FeaturesConfig apidCheckExtKeyUsage:flag diskQuotaSupport:flag hostDNS:v1alpha1.HostDNSConfig imageCache@9:v1alpha1.ImageCacheConfig kubePrism:v1alpha1.KubePrism kubernetesTalosAPIAccess:v1alpha1.KubernetesTalosAPIAccessConfig nodeAddressSortAlgorithm@9:text rbac:flag stableHostname:flag
v1alpha1.FlannelCNIConfig extraArgs:[text] kubeNetworkPoliciesEnabled@13:flag
v1alpha1.HostDNSConfig enabled:flag forwardKubeDNSToHost:flag resolveMemberNames:flag
v1alpha1.ImageCacheConfig@9 localEnabled@9:flag
v1alpha1.InstallConfig bootloader:flag disk:text diskSelector:v1alpha1.InstallDiskSelector extensions:[v1alpha1.InstallExtensionConfig] extraKernelArgs:[text] grubUseUKICmdline@12:flag image:text legacyBIOSSupport:flag wipe:flag
v1alpha1.InstallDiskSelector busPath:text modalias:text model:text name:text serial:text size:always type@8-8:number type@9:text uuid:text wwid:text
v1alpha1.InstallExtensionConfig image:text
v1alpha1.KernelConfig modules:[v1alpha1.KernelModuleConfig]
v1alpha1.KernelModuleConfig name:text parameters:[text]
v1alpha1.KubePrism enabled:flag port:number
v1alpha1.KubeSpanFilters endpoints:[text] excludeAdvertisedNetworks@12:[text]
v1alpha1.KubeletConfig clusterDNS:[text] credentialProviderConfig:free defaultRuntimeSeccompProfileEnabled:flag disableManifestsDirectory:flag extraArgs@8-12:{text} extraArgs@13:args extraConfig:free extraMounts:[v1alpha1.ExtraMount] image:text nodeIP:v1alpha1.KubeletNodeIPConfig registerWithFQDN:flag skipNodeRegistration:flag
v1alpha1.KubeletNodeIPConfig validSubnets:[text]
v1alpha1.KubernetesTalosAPIAccessConfig allowedKubernetesNamespaces:[text] allowedRoles:[text] enabled:flag
v1alpha1.LinuxIDMapping containerID:number hostID:number size:number
v1alpha1.LoggingConfig destinations:[v1alpha1.LoggingDestination]
v1alpha1.LoggingDestination endpoint:always extraTags:{text} format:text
v1alpha1.MachineConfig acceptedCAs:[=x509.PEMEncodedCertificate] baseRuntimeSpecOverrides@9:free ca:=x509.PEMEncodedCertificateAndKey certSANs:[text] controlPlane:v1alpha1.MachineControlPlaneConfig disks:[v1alpha1.MachineDisk] env:{text} features:v1alpha1.FeaturesConfig files:[v1alpha1.MachineFile] install:v1alpha1.InstallConfig kernel:v1alpha1.KernelConfig kubelet:v1alpha1.KubeletConfig logging:v1alpha1.LoggingConfig network:v1alpha1.NetworkConfig nodeAnnotations:{text} nodeLabels:{text} nodeTaints:{text} pods:[free] registries:.v1alpha1.RegistriesConfig seccompProfiles:[v1alpha1.MachineSeccompProfile] sysctls:{text} sysfs:{text} systemDiskEncryption:v1alpha1.SystemDiskEncryptionConfig time:v1alpha1.TimeConfig token:text type:text udev:v1alpha1.UdevConfig
v1alpha1.MachineControlPlaneConfig controllerManager:v1alpha1.MachineControllerManagerConfig scheduler:v1alpha1.MachineSchedulerConfig
v1alpha1.MachineControllerManagerConfig disabled:flag
v1alpha1.MachineDisk device:text partitions:[v1alpha1.DiskPartition]
v1alpha1.MachineFile content:text op:text path:text permissions:number
v1alpha1.MachineSchedulerConfig disabled:flag
v1alpha1.MachineSeccompProfile name:text value:free
v1alpha1.NetworkConfig disableSearchDomain:flag extraHostEntries:[v1alpha1.ExtraHost] hostname:text interfaces:NetworkDeviceList[v1alpha1.Device] kubespan:v1alpha1.NetworkKubeSpan nameservers:[text] searchDomains@9:[text]
v1alpha1.NetworkDeviceSelector busPath:text driver:text hardwareAddr:text pciID:text permanentAddr@9:text physical:flag
v1alpha1.NetworkKubeSpan advertiseKubernetesNetworks:flag allowDownPeerBypass:flag enabled:flag filters:v1alpha1.KubeSpanFilters harvestExtraEndpoints:flag mtu:always
v1alpha1.ProxyConfig disabled:flag extraArgs@8-12:{text} extraArgs@13:args image:text mode:text
v1alpha1.RegistriesConfig config:{v1alpha1.RegistryConfig} mirrors:{v1alpha1.RegistryMirrorConfig}
v1alpha1.RegistryAuthConfig auth:text identityToken:text password:text username:text
v1alpha1.RegistryConfig auth:v1alpha1.RegistryAuthConfig tls:v1alpha1.RegistryTLSConfig
v1alpha1.RegistryKubernetesConfig disabled:flag
v1alpha1.RegistryMirrorConfig endpoints:[text] overridePath:flag skipFallback@9:flag
v1alpha1.RegistryServiceConfig disabled:flag endpoint:text
v1alpha1.RegistryTLSConfig ca:always clientIdentity:=x509.PEMEncodedCertificateAndKey insecureSkipVerify:flag
v1alpha1.ResourcesConfig limits:free requests:free
v1alpha1.Route gateway:text metric:number mtu:number network:text source:text
v1alpha1.STP enabled:flag
v1alpha1.SchedulerConfig config:free env:{text} extraArgs@8-12:{text} extraArgs@13:args extraVolumes:[v1alpha1.VolumeMountConfig] image:text resources:v1alpha1.ResourcesConfig
v1alpha1.SystemDiskEncryptionConfig ephemeral:v1alpha1.EncryptionConfig state:v1alpha1.EncryptionConfig
v1alpha1.TimeConfig bootTimeout:number disabled:flag servers:[text]
v1alpha1.UdevConfig rules:[text]
v1alpha1.VIPEquinixMetalConfig apiToken:text
v1alpha1.VIPHCloudConfig apiToken:text
v1alpha1.Vlan addresses:[text] cidr:text dhcp:flag dhcpOptions:v1alpha1.DHCPOptions mtu:number routes:[v1alpha1.Route] vip:v1alpha1.DeviceVIPConfig vlanId:number
v1alpha1.VolumeMountConfig hostPath:text mountPath:text readonly:flag
x509.PEMEncodedCertificate crt:always
x509.PEMEncodedCertificateAndKey crt:always key:always
x509.PEMEncodedKey key:always
`
