/** Keys of v1alpha1 with the types of their values, including deprecated ones (see `key-shape.ts`). */
export const knownV1alpha1 = `
  version:text debug:flag persist:flag machine:{type:text token:text ca:{crt:base64 key:base64}
  acceptedCAs:[{crt:base64}] certSANs:[text] controlPlane:{controllerManager:{disabled:flag}
  scheduler:{disabled:flag}} kubelet:{image:text clusterDNS:[text] extraArgs:<args> extraMounts:[{destination:text
  type:text source:text options:[text] uidMappings:[{containerID:uint32 hostID:uint32 size:uint32}]
  gidMappings:[{containerID:uint32 hostID:uint32 size:uint32}]}] extraConfig:<*> credentialProviderConfig:<*>
  defaultRuntimeSeccompProfileEnabled:flag registerWithFQDN:flag nodeIP:{validSubnets:[text]}
  skipNodeRegistration:flag disableManifestsDirectory:flag} pods:[<*>] network:{hostname:text
  interfaces:[{interface:text deviceSelector:{busPath:text hardwareAddr:text permanentAddr:text pciID:text driver:text
  physical:flag} addresses:[text] cidr:text routes:[{network:text gateway:text source:text metric:uint32 mtu:uint32}]
  bond:{interfaces:[text] deviceSelectors:[{busPath:text hardwareAddr:text permanentAddr:text pciID:text driver:text
  physical:flag}] arpIPTarget:[text] mode:text xmitHashPolicy:text lacpRate:text adActorSystem:text arpValidate:text
  arpAllTargets:text primary:text primaryReselect:text failOverMac:text adSelect:text miimon:uint32 updelay:uint32
  downdelay:uint32 arpInterval:uint32 resendIgmp:uint32 minLinks:uint32 lpInterval:uint32 packetsPerSlave:uint32
  numPeerNotif:uint8 tlbDynamicLb:uint8 allSlavesActive:uint8 useCarrier:flag adActorSysPrio:uint16
  adUserPortKey:uint16 peerNotifyDelay:uint32} bridge:{interfaces:[text] stp:{enabled:flag} vlan:{vlanFiltering:flag}}
  bridgePort:{master:text} vlans:[{addresses:[text] cidr:text routes:[{network:text gateway:text source:text
  metric:uint32 mtu:uint32}] dhcp:flag vlanId:uint16 mtu:uint32 vip:{ip:text equinixMetal:{apiToken:text}
  hcloud:{apiToken:text}} dhcpOptions:{routeMetric:uint32 ipv4:flag ipv6:flag duidv6:text}}] mtu:int dhcp:flag
  ignore:flag dummy:flag dhcpOptions:{routeMetric:uint32 ipv4:flag ipv6:flag duidv6:text} wireguard:{privateKey:text
  listenPort:int firewallMark:int peers:[{publicKey:text endpoint:text persistentKeepaliveInterval:duration
  allowedIPs:[text]}]} vip:{ip:text equinixMetal:{apiToken:text} hcloud:{apiToken:text}}}] nameservers:[text]
  searchDomains:[text] extraHostEntries:[{ip:text aliases:[text]}] kubespan:{enabled:flag
  advertiseKubernetesNetworks:flag allowDownPeerBypass:flag harvestExtraEndpoints:flag mtu:uint32
  filters:{endpoints:[text] excludeAdvertisedNetworks:[text]}} disableSearchDomain:flag} disks:[{device:text
  partitions:[{size:uint64 mountpoint:text}]}] install:{disk:text diskSelector:{size:disk-size name:text model:text
  serial:text modalias:text uuid:text wwid:text type:text busPath:text} extraKernelArgs:[text] image:text
  extensions:[{image:text}] bootloader:flag wipe:flag legacyBIOSSupport:flag grubUseUKICmdline:flag}
  files:[{content:text permissions:uint32 path:text op:text}] env:<text> time:{disabled:flag servers:[text]
  bootTimeout:duration} sysctls:<text> sysfs:<text> registries:{mirrors:<{endpoints:[text] overridePath:flag
  skipFallback:flag}> config:<{tls:{clientIdentity:{crt:base64 key:base64} ca:base64 insecureSkipVerify:flag}
  auth:{username:text password:text auth:text identityToken:text}}>} systemDiskEncryption:{state:{provider:text
  keys:[{static:{passphrase:text} nodeID:{} kms:{endpoint:text} slot:int tpm:{checkSecurebootStatusOnEnroll:flag}}]
  cipher:text keySize:uint blockSize:uint64 options:[text]} ephemeral:{provider:text keys:[{static:{passphrase:text}
  nodeID:{} kms:{endpoint:text} slot:int tpm:{checkSecurebootStatusOnEnroll:flag}}] cipher:text keySize:uint
  blockSize:uint64 options:[text]}} features:{rbac:flag stableHostname:flag kubernetesTalosAPIAccess:{enabled:flag
  allowedRoles:[text] allowedKubernetesNamespaces:[text]} apidCheckExtKeyUsage:flag diskQuotaSupport:flag
  kubePrism:{enabled:flag port:int} hostDNS:{enabled:flag forwardKubeDNSToHost:flag resolveMemberNames:flag}
  imageCache:{localEnabled:flag} nodeAddressSortAlgorithm:text} udev:{rules:[text]}
  logging:{destinations:[{endpoint:url format:text extraTags:<text>}]} kernel:{modules:[{name:text
  parameters:[text]}]} seccompProfiles:[{name:text value:<*>}] baseRuntimeSpecOverrides:<*> nodeLabels:<text>
  nodeAnnotations:<text> nodeTaints:<text>} cluster:{id:text secret:text controlPlane:{endpoint:url
  localAPIServerPort:int} clusterName:text network:{cni:{name:text urls:[text] flannel:{extraArgs:[text]
  kubeNetworkPoliciesEnabled:flag}} dnsDomain:text podSubnets:[text] serviceSubnets:[text]} token:text
  aescbcEncryptionSecret:text secretboxEncryptionSecret:text ca:{crt:base64 key:base64} acceptedCAs:[{crt:base64}]
  aggregatorCA:{crt:base64 key:base64} serviceAccount:{key:base64} apiServer:{image:text extraArgs:<args>
  extraVolumes:[{hostPath:text mountPath:text readonly:flag}] env:<text> certSANs:[text] disablePodSecurityPolicy:flag
  admissionControl:[{name:text configuration:<*>}] auditPolicy:<*> resources:{requests:<*> limits:<*>}
  authorizationConfig:[{type:text name:text webhook:<*>}]} controllerManager:{image:text extraArgs:<args>
  extraVolumes:[{hostPath:text mountPath:text readonly:flag}] env:<text> resources:{requests:<*> limits:<*>}}
  proxy:{disabled:flag image:text mode:text extraArgs:<args>} scheduler:{image:text extraArgs:<args>
  extraVolumes:[{hostPath:text mountPath:text readonly:flag}] env:<text> resources:{requests:<*> limits:<*>}
  config:<*>} discovery:{enabled:flag registries:{kubernetes:{disabled:flag} service:{disabled:flag endpoint:text}}}
  etcd:{image:text ca:{crt:base64 key:base64} extraArgs:<args> subnet:text advertisedSubnets:[text]
  listenSubnets:[text]} coreDNS:{disabled:flag image:text} externalCloudProvider:{enabled:flag manifests:[text]}
  extraManifests:[text] extraManifestHeaders:<text> inlineManifests:[{name:text contents:text}]
  adminKubeconfig:{certLifetime:duration} allowSchedulingOnMasters:flag allowSchedulingOnControlPlanes:flag}
`
