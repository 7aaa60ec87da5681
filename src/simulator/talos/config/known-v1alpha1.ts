/** Keys of the v1alpha1 document, deprecated ones included (see `key-shape.ts`). */
export const knownV1alpha1 = `
  version debug persist machine:{type token ca:{crt key} acceptedCAs:[{crt}] certSANs
  controlPlane:{controllerManager:{disabled} scheduler:{disabled}} kubelet:{image clusterDNS extraArgs:*
  extraMounts:[{destination type source options uidMappings:[{containerID hostID size}] gidMappings:[{containerID
  hostID size}]}] extraConfig:* credentialProviderConfig:* defaultRuntimeSeccompProfileEnabled registerWithFQDN
  nodeIP:{validSubnets} skipNodeRegistration disableManifestsDirectory} pods:* network:{hostname
  interfaces:[{interface deviceSelector:{busPath hardwareAddr permanentAddr pciID driver physical} addresses cidr
  routes:[{network gateway source metric mtu}] bond:{interfaces deviceSelectors:[{busPath hardwareAddr
  permanentAddr pciID driver physical}] arpIPTarget mode xmitHashPolicy lacpRate adActorSystem arpValidate
  arpAllTargets primary primaryReselect failOverMac adSelect miimon updelay downdelay arpInterval resendIgmp
  minLinks lpInterval packetsPerSlave numPeerNotif tlbDynamicLb allSlavesActive useCarrier adActorSysPrio
  adUserPortKey peerNotifyDelay} bridge:{interfaces stp:{enabled} vlan:{vlanFiltering}} bridgePort:{master}
  vlans:[{addresses cidr routes:[{network gateway source metric mtu}] dhcp vlanId mtu vip:{ip
  equinixMetal:{apiToken} hcloud:{apiToken}} dhcpOptions:{routeMetric ipv4 ipv6 duidv6}}] mtu dhcp ignore dummy
  dhcpOptions:{routeMetric ipv4 ipv6 duidv6} wireguard:{privateKey listenPort firewallMark peers:[{publicKey
  endpoint persistentKeepaliveInterval allowedIPs}]} vip:{ip equinixMetal:{apiToken} hcloud:{apiToken}}}]
  nameservers searchDomains extraHostEntries:[{ip aliases}] kubespan:{enabled advertiseKubernetesNetworks
  allowDownPeerBypass harvestExtraEndpoints mtu filters:{endpoints excludeAdvertisedNetworks}}
  disableSearchDomain} install:{disk diskSelector:{size name model serial modalias uuid wwid type busPath}
  extraKernelArgs image extensions:[{image}] bootloader wipe legacyBIOSSupport grubUseUKICmdline} disks:[{device
  partitions:[{size mountpoint}]}] systemDiskEncryption:{state:* ephemeral:*} files:[{content permissions path
  op}] env:* time:{disabled servers bootTimeout} sysctls:* sysfs:* registries:{mirrors:<{endpoints overridePath
  skipFallback}> config:<{tls:{clientIdentity:{crt key} ca insecureSkipVerify} auth:{username password auth
  identityToken}}>} features:{rbac stableHostname kubernetesTalosAPIAccess:{enabled allowedRoles
  allowedKubernetesNamespaces} apidCheckExtKeyUsage diskQuotaSupport kubePrism:{enabled port} hostDNS:{enabled
  forwardKubeDNSToHost resolveMemberNames} imageCache:{localEnabled} nodeAddressSortAlgorithm} udev:{rules}
  logging:{destinations:[{endpoint format extraTags:*}]} kernel:{modules:[{name parameters}]}
  seccompProfiles:[{name value:*}] baseRuntimeSpecOverrides:* nodeLabels:* nodeAnnotations:* nodeTaints:*}
  cluster:{id secret controlPlane:{endpoint localAPIServerPort} clusterName network:{cni:{name urls
  flannel:{extraArgs kubeNetworkPoliciesEnabled}} dnsDomain podSubnets serviceSubnets} token
  aescbcEncryptionSecret secretboxEncryptionSecret ca:{crt key} acceptedCAs:[{crt}] aggregatorCA:{crt key}
  serviceAccount:{key} apiServer:{image extraArgs:* extraVolumes:[{hostPath mountPath readonly}] env:* certSANs
  disablePodSecurityPolicy admissionControl:[{name configuration:*}] auditPolicy:* resources:*
  authorizationConfig:[{type name webhook:*}]} controllerManager:{image extraArgs:* extraVolumes:[{hostPath
  mountPath readonly}] env:* resources:*} proxy:{disabled image mode extraArgs:*} scheduler:{image extraArgs:*
  extraVolumes:[{hostPath mountPath readonly}] env:* resources:* config:*} discovery:{enabled
  registries:{kubernetes:{disabled} service:{disabled endpoint}}} etcd:{image ca:{crt key} extraArgs:*
  advertisedSubnets listenSubnets} coreDNS:{disabled image} externalCloudProvider:{enabled manifests}
  extraManifests extraManifestHeaders:* inlineManifests:[{name contents}] adminKubeconfig:{certLifetime}
  allowSchedulingOnControlPlanes allowSchedulingOnMasters}
`
