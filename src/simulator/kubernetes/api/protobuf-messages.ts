/**
 * Kubernetes' protobuf messages, one per line: the name, then `number:key:type` of each field. A type is a scalar or
 * another message; `*` marks a value that may be empty and still be set, `[]` a list, `{}` a map by string. The fields
 * of a field with the key `^` belong to the enclosing object. Status of workloads and cloud disks are omitted: no
 * client writes them here.
 */
const messages = `
Affinity 1:nodeAffinity:NodeAffinity 2:podAffinity:PodAffinity 3:podAntiAffinity:PodAntiAffinity
AppArmorProfile 1:type:text 2:localhostProfile:text*
Binding 1:metadata:ObjectMeta 2:target:ObjectReference
CSIPersistentVolumeSource 1:driver:text 2:volumeHandle:text 3:readOnly:flag 4:fsType:text 5:volumeAttributes:text{} 6:controllerPublishSecretRef:SecretReference 7:nodeStageSecretRef:SecretReference 8:nodePublishSecretRef:SecretReference 9:controllerExpandSecretRef:SecretReference 10:nodeExpandSecretRef:SecretReference
CSIVolumeSource 1:driver:text 2:readOnly:flag* 3:fsType:text* 4:volumeAttributes:text{} 5:nodePublishSecretRef:LocalObjectReference
Capabilities 1:add:text[] 2:drop:text[]
ClientIPConfig 1:timeoutSeconds:number*
ClusterTrustBundleProjection 1:name:text* 2:signerName:text* 3:labelSelector:LabelSelector 5:optional:flag* 4:path:text
Condition 1:type:text 2:status:text 3:observedGeneration:number 4:lastTransitionTime:time 5:reason:text 6:message:text
ConfigMap 1:metadata:ObjectMeta 4:immutable:flag* 2:data:text{} 3:binaryData:bytes{}
ConfigMapEnvSource 1:^:LocalObjectReference 2:optional:flag*
ConfigMapKeySelector 1:^:LocalObjectReference 2:key:text 3:optional:flag*
ConfigMapNodeConfigSource 1:namespace:text 2:name:text 3:uid:text 4:resourceVersion:text 5:kubeletConfigKey:text
ConfigMapProjection 1:^:LocalObjectReference 2:items:KeyToPath[] 4:optional:flag*
ConfigMapVolumeSource 1:^:LocalObjectReference 2:items:KeyToPath[] 3:defaultMode:number* 4:optional:flag*
Container 1:name:text 2:image:text 3:command:text[] 4:args:text[] 5:workingDir:text 6:ports:ContainerPort[] 19:envFrom:EnvFromSource[] 7:env:EnvVar[] 8:resources:ResourceRequirements 23:resizePolicy:ContainerResizePolicy[] 24:restartPolicy:text* 25:restartPolicyRules:ContainerRestartRule[] 9:volumeMounts:VolumeMount[] 21:volumeDevices:VolumeDevice[] 10:livenessProbe:Probe 11:readinessProbe:Probe 22:startupProbe:Probe 12:lifecycle:Lifecycle 13:terminationMessagePath:text 20:terminationMessagePolicy:text 14:imagePullPolicy:text 15:securityContext:SecurityContext 16:stdin:flag 17:stdinOnce:flag 18:tty:flag
ContainerPort 1:name:text 2:hostPort:number 3:containerPort:number 4:protocol:text 5:hostIP:text
ContainerResizePolicy 1:resourceName:text 2:restartPolicy:text
ContainerRestartRule 1:action:text 2:exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes 1:operator:text 2:values:number[]
DeleteOptions 1:gracePeriodSeconds:number* 2:preconditions:Preconditions 3:orphanDependents:flag* 4:propagationPolicy:text* 5:dryRun:text[] 6:ignoreStoreReadErrorWithClusterBreakingPotential:flag*
DownwardAPIProjection 1:items:DownwardAPIVolumeFile[]
DownwardAPIVolumeFile 1:path:text 2:fieldRef:ObjectFieldSelector 3:resourceFieldRef:ResourceFieldSelector 4:mode:number*
DownwardAPIVolumeSource 1:items:DownwardAPIVolumeFile[] 2:defaultMode:number*
EmptyDirVolumeSource 1:medium:text 2:sizeLimit:quantity
EndpointAddress 1:ip:text 3:hostname:text 4:nodeName:text* 2:targetRef:ObjectReference
EndpointPort 1:name:text 2:port:number 3:protocol:text 4:appProtocol:text*
EndpointSubset 1:addresses:EndpointAddress[] 2:notReadyAddresses:EndpointAddress[] 3:ports:EndpointPort[]
Endpoints 1:metadata:ObjectMeta 2:subsets:EndpointSubset[]
EnvFromSource 1:prefix:text 2:configMapRef:ConfigMapEnvSource 3:secretRef:SecretEnvSource
EnvVar 1:name:text 2:value:text 3:valueFrom:EnvVarSource
EnvVarSource 1:fieldRef:ObjectFieldSelector 2:resourceFieldRef:ResourceFieldSelector 3:configMapKeyRef:ConfigMapKeySelector 4:secretKeyRef:SecretKeySelector 5:fileKeyRef:FileKeySelector
EphemeralVolumeSource 1:volumeClaimTemplate:PersistentVolumeClaimTemplate
Event 1:metadata:ObjectMeta 2:involvedObject:ObjectReference 3:reason:text 4:message:text 5:source:EventSource 6:firstTimestamp:time 7:lastTimestamp:time 8:count:number 9:type:text 10:eventTime:time 11:series:EventSeries 12:action:text 13:related:ObjectReference 14:reportingComponent:text 15:reportingInstance:text
EventSeries 1:count:number 2:lastObservedTime:time
EventSource 1:component:text 2:host:text
ExecAction 1:command:text[]
FieldSelectorRequirement 1:key:text 2:operator:text 3:values:text[]
FileKeySelector 1:volumeName:text 2:path:text 3:key:text 4:optional:flag*
GRPCAction 1:port:number 2:service:text*
HTTPGetAction 1:path:text 2:port:intstr 3:host:text 4:scheme:text 5:httpHeaders:HTTPHeader[]
HTTPHeader 1:name:text 2:value:text
HostAlias 1:ip:text 2:hostnames:text[]
HostPathVolumeSource 1:path:text 2:type:text*
ISCSIPersistentVolumeSource 1:targetPortal:text 2:iqn:text 3:lun:number 4:iscsiInterface:text 5:fsType:text 6:readOnly:flag 7:portals:text[] 8:chapAuthDiscovery:flag 11:chapAuthSession:flag 10:secretRef:SecretReference 12:initiatorName:text*
ISCSIVolumeSource 1:targetPortal:text 2:iqn:text 3:lun:number 4:iscsiInterface:text 5:fsType:text 6:readOnly:flag 7:portals:text[] 8:chapAuthDiscovery:flag 11:chapAuthSession:flag 10:secretRef:LocalObjectReference 12:initiatorName:text*
ImageVolumeSource 1:reference:text 2:pullPolicy:text
KeyToPath 1:key:text 2:path:text 3:mode:number*
LabelSelector 1:matchLabels:text{} 2:matchExpressions:LabelSelectorRequirement[]
LabelSelectorRequirement 1:key:text 2:operator:text 3:values:text[]
Lifecycle 1:postStart:LifecycleHandler 2:preStop:LifecycleHandler 3:stopSignal:text*
LifecycleHandler 1:exec:ExecAction 2:httpGet:HTTPGetAction 3:tcpSocket:TCPSocketAction 4:sleep:SleepAction
LimitRange 1:metadata:ObjectMeta 2:spec:LimitRangeSpec
LimitRangeItem 1:type:text 2:max:quantity{} 3:min:quantity{} 4:default:quantity{} 5:defaultRequest:quantity{} 6:maxLimitRequestRatio:quantity{}
LimitRangeSpec 1:limits:LimitRangeItem[]
LocalObjectReference 1:name:text
LocalVolumeSource 1:path:text 2:fsType:text*
NFSVolumeSource 1:server:text 2:path:text 3:readOnly:flag
Namespace 1:metadata:ObjectMeta 2:spec:NamespaceSpec 3:status:NamespaceStatus
NamespaceCondition 1:type:text 2:status:text 4:lastTransitionTime:time 5:reason:text 6:message:text
NamespaceSpec 1:finalizers:text[]
NamespaceStatus 1:phase:text 2:conditions:NamespaceCondition[]
Node 1:metadata:ObjectMeta 2:spec:NodeSpec
NodeAffinity 1:requiredDuringSchedulingIgnoredDuringExecution:NodeSelector 2:preferredDuringSchedulingIgnoredDuringExecution:PreferredSchedulingTerm[]
NodeConfigSource 2:configMap:ConfigMapNodeConfigSource
NodeSelector 1:nodeSelectorTerms:NodeSelectorTerm[]
NodeSelectorRequirement 1:key:text 2:operator:text 3:values:text[]
NodeSelectorTerm 1:matchExpressions:NodeSelectorRequirement[] 2:matchFields:NodeSelectorRequirement[]
NodeSpec 1:podCIDR:text 7:podCIDRs:text[] 3:providerID:text 4:unschedulable:flag 5:taints:Taint[] 6:configSource:NodeConfigSource 2:externalID:text
ObjectFieldSelector 1:apiVersion:text 2:fieldPath:text
ObjectMeta 1:name:text 2:generateName:text 3:namespace:text 4:selfLink:text 5:uid:text 6:resourceVersion:text 7:generation:number 8:creationTimestamp:time 9:deletionTimestamp:time 10:deletionGracePeriodSeconds:number* 11:labels:text{} 12:annotations:text{} 13:ownerReferences:OwnerReference[] 14:finalizers:text[]
ObjectReference 1:kind:text 2:namespace:text 3:name:text 4:uid:text 5:apiVersion:text 6:resourceVersion:text 7:fieldPath:text
OwnerReference 5:apiVersion:text 1:kind:text 3:name:text 4:uid:text 6:controller:flag* 7:blockOwnerDeletion:flag*
PersistentVolume 1:metadata:ObjectMeta 2:spec:PersistentVolumeSpec
PersistentVolumeClaim 1:metadata:ObjectMeta 2:spec:PersistentVolumeClaimSpec
PersistentVolumeClaimSpec 1:accessModes:text[] 4:selector:LabelSelector 2:resources:VolumeResourceRequirements 3:volumeName:text 5:storageClassName:text* 6:volumeMode:text* 7:dataSource:TypedLocalObjectReference 8:dataSourceRef:TypedObjectReference 9:volumeAttributesClassName:text*
PersistentVolumeClaimTemplate 1:metadata:ObjectMeta 2:spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource 1:claimName:text 2:readOnly:flag
PersistentVolumeSource 3:hostPath:HostPathVolumeSource 5:nfs:NFSVolumeSource 7:iscsi:ISCSIPersistentVolumeSource 20:local:LocalVolumeSource 22:csi:CSIPersistentVolumeSource
PersistentVolumeSpec 1:capacity:quantity{} 2:^:PersistentVolumeSource 3:accessModes:text[] 4:claimRef:ObjectReference 5:persistentVolumeReclaimPolicy:text 6:storageClassName:text 7:mountOptions:text[] 8:volumeMode:text* 9:nodeAffinity:VolumeNodeAffinity 10:volumeAttributesClassName:text*
Pod 1:metadata:ObjectMeta 2:spec:PodSpec
PodAffinity 1:requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[] 2:preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
PodAffinityTerm 1:labelSelector:LabelSelector 2:namespaces:text[] 3:topologyKey:text 4:namespaceSelector:LabelSelector 5:matchLabelKeys:text[] 6:mismatchLabelKeys:text[]
PodAntiAffinity 1:requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[] 2:preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
PodCertificateProjection 1:signerName:text 2:keyType:text 3:maxExpirationSeconds:number* 4:credentialBundlePath:text 5:keyPath:text 6:certificateChainPath:text 7:userAnnotations:text{}
PodDNSConfig 1:nameservers:text[] 2:searches:text[] 3:options:PodDNSConfigOption[]
PodDNSConfigOption 1:name:text 2:value:text*
PodOS 1:name:text
PodReadinessGate 1:conditionType:text
PodResourceClaim 1:name:text 3:resourceClaimName:text* 4:resourceClaimTemplateName:text*
PodSchedulingGate 1:name:text
PodSchedulingGroup 1:podGroupName:text*
PodSecurityContext 1:seLinuxOptions:SELinuxOptions 8:windowsOptions:WindowsSecurityContextOptions 2:runAsUser:number* 6:runAsGroup:number* 3:runAsNonRoot:flag* 4:supplementalGroups:number[] 12:supplementalGroupsPolicy:text* 5:fsGroup:number* 7:sysctls:Sysctl[] 9:fsGroupChangePolicy:text* 10:seccompProfile:SeccompProfile 11:appArmorProfile:AppArmorProfile 13:seLinuxChangePolicy:text*
PodSpec 1:volumes:Volume[] 20:initContainers:Container[] 2:containers:Container[] 3:restartPolicy:text 4:terminationGracePeriodSeconds:number* 5:activeDeadlineSeconds:number* 6:dnsPolicy:text 7:nodeSelector:text{} 8:serviceAccountName:text 9:serviceAccount:text 21:automountServiceAccountToken:flag* 10:nodeName:text 11:hostNetwork:flag 12:hostPID:flag 13:hostIPC:flag 27:shareProcessNamespace:flag* 14:securityContext:PodSecurityContext 15:imagePullSecrets:LocalObjectReference[] 16:hostname:text 17:subdomain:text 18:affinity:Affinity 19:schedulerName:text 22:tolerations:Toleration[] 23:hostAliases:HostAlias[] 24:priorityClassName:text 25:priority:number* 26:dnsConfig:PodDNSConfig 28:readinessGates:PodReadinessGate[] 29:runtimeClassName:text* 30:enableServiceLinks:flag* 31:preemptionPolicy:text* 32:overhead:quantity{} 33:topologySpreadConstraints:TopologySpreadConstraint[] 35:setHostnameAsFQDN:flag* 36:os:PodOS 37:hostUsers:flag* 38:schedulingGates:PodSchedulingGate[] 39:resourceClaims:PodResourceClaim[] 40:resources:ResourceRequirements 41:hostnameOverride:text* 43:schedulingGroup:PodSchedulingGroup
PodTemplate 1:metadata:ObjectMeta 2:template:PodTemplateSpec
PodTemplateSpec 1:metadata:ObjectMeta 2:spec:PodSpec
Preconditions 1:uid:text* 2:resourceVersion:text*
PreferredSchedulingTerm 1:weight:number 2:preference:NodeSelectorTerm
Probe 1:^:ProbeHandler 2:initialDelaySeconds:number 3:timeoutSeconds:number 4:periodSeconds:number 5:successThreshold:number 6:failureThreshold:number 7:terminationGracePeriodSeconds:number*
ProbeHandler 1:exec:ExecAction 2:httpGet:HTTPGetAction 3:tcpSocket:TCPSocketAction 4:grpc:GRPCAction
ProjectedVolumeSource 1:sources:VolumeProjection[] 2:defaultMode:number*
ReplicationController 1:metadata:ObjectMeta 2:spec:ReplicationControllerSpec
ReplicationControllerSpec 1:replicas:number* 4:minReadySeconds:number 2:selector:text{} 3:template:PodTemplateSpec
ResourceClaim 1:name:text 2:request:text
ResourceFieldSelector 1:containerName:text 2:resource:text 3:divisor:quantity
ResourceQuota 1:metadata:ObjectMeta 2:spec:ResourceQuotaSpec
ResourceQuotaSpec 1:hard:quantity{} 2:scopes:text[] 3:scopeSelector:ScopeSelector
ResourceRequirements 1:limits:quantity{} 2:requests:quantity{} 3:claims:ResourceClaim[]
SELinuxOptions 1:user:text 2:role:text 3:type:text 4:level:text
ScopeSelector 1:matchExpressions:ScopedResourceSelectorRequirement[]
ScopedResourceSelectorRequirement 1:scopeName:text 2:operator:text 3:values:text[]
SeccompProfile 1:type:text 2:localhostProfile:text*
Secret 1:metadata:ObjectMeta 5:immutable:flag* 2:data:bytes{} 4:stringData:text{} 3:type:text
SecretEnvSource 1:^:LocalObjectReference 2:optional:flag*
SecretKeySelector 1:^:LocalObjectReference 2:key:text 3:optional:flag*
SecretProjection 1:^:LocalObjectReference 2:items:KeyToPath[] 4:optional:flag*
SecretReference 1:name:text 2:namespace:text
SecretVolumeSource 1:secretName:text 2:items:KeyToPath[] 3:defaultMode:number* 4:optional:flag*
SecurityContext 1:capabilities:Capabilities 2:privileged:flag* 3:seLinuxOptions:SELinuxOptions 10:windowsOptions:WindowsSecurityContextOptions 4:runAsUser:number* 8:runAsGroup:number* 5:runAsNonRoot:flag* 6:readOnlyRootFilesystem:flag* 7:allowPrivilegeEscalation:flag* 9:procMount:text* 11:seccompProfile:SeccompProfile 12:appArmorProfile:AppArmorProfile
Service 1:metadata:ObjectMeta 2:spec:ServiceSpec
ServiceAccount 1:metadata:ObjectMeta 2:secrets:ObjectReference[] 3:imagePullSecrets:LocalObjectReference[] 4:automountServiceAccountToken:flag*
ServiceAccountTokenProjection 1:audience:text 2:expirationSeconds:number* 3:path:text
ServicePort 1:name:text 2:protocol:text 6:appProtocol:text* 3:port:number 4:targetPort:intstr 5:nodePort:number
ServiceSpec 1:ports:ServicePort[] 2:selector:text{} 3:clusterIP:text 18:clusterIPs:text[] 4:type:text 5:externalIPs:text[] 7:sessionAffinity:text 8:loadBalancerIP:text 9:loadBalancerSourceRanges:text[] 10:externalName:text 11:externalTrafficPolicy:text 12:healthCheckNodePort:number 13:publishNotReadyAddresses:flag 14:sessionAffinityConfig:SessionAffinityConfig 19:ipFamilies:text[] 17:ipFamilyPolicy:text* 20:allocateLoadBalancerNodePorts:flag* 21:loadBalancerClass:text* 22:internalTrafficPolicy:text* 23:trafficDistribution:text*
SessionAffinityConfig 1:clientIP:ClientIPConfig
SleepAction 1:seconds:number
Sysctl 1:name:text 2:value:text
TCPSocketAction 1:port:intstr 2:host:text
Taint 1:key:text 2:value:text 3:effect:text 4:timeAdded:time
Toleration 1:key:text 2:operator:text 3:value:text 4:effect:text 5:tolerationSeconds:number*
TopologySelectorLabelRequirement 1:key:text 2:values:text[]
TopologySelectorTerm 1:matchLabelExpressions:TopologySelectorLabelRequirement[]
TopologySpreadConstraint 1:maxSkew:number 2:topologyKey:text 3:whenUnsatisfiable:text 4:labelSelector:LabelSelector 5:minDomains:number* 6:nodeAffinityPolicy:text* 7:nodeTaintsPolicy:text* 8:matchLabelKeys:text[]
TypedLocalObjectReference 1:apiGroup:text* 2:kind:text 3:name:text
TypedObjectReference 1:apiGroup:text* 2:kind:text 3:name:text 4:namespace:text*
Volume 1:name:text 2:^:VolumeSource
VolumeDevice 1:name:text 2:devicePath:text
VolumeMount 1:name:text 2:readOnly:flag 7:recursiveReadOnly:text* 3:mountPath:text 4:subPath:text 5:mountPropagation:text* 6:subPathExpr:text
VolumeNodeAffinity 1:required:NodeSelector
VolumeProjection 1:secret:SecretProjection 2:downwardAPI:DownwardAPIProjection 3:configMap:ConfigMapProjection 4:serviceAccountToken:ServiceAccountTokenProjection 5:clusterTrustBundle:ClusterTrustBundleProjection 6:podCertificate:PodCertificateProjection
VolumeResourceRequirements 1:limits:quantity{} 2:requests:quantity{}
VolumeSource 1:hostPath:HostPathVolumeSource 2:emptyDir:EmptyDirVolumeSource 6:secret:SecretVolumeSource 7:nfs:NFSVolumeSource 8:iscsi:ISCSIVolumeSource 10:persistentVolumeClaim:PersistentVolumeClaimVolumeSource 16:downwardAPI:DownwardAPIVolumeSource 19:configMap:ConfigMapVolumeSource 26:projected:ProjectedVolumeSource 28:csi:CSIVolumeSource 29:ephemeral:EphemeralVolumeSource 30:image:ImageVolumeSource
WeightedPodAffinityTerm 1:weight:number 2:podAffinityTerm:PodAffinityTerm
WindowsSecurityContextOptions 1:gmsaCredentialSpecName:text* 2:gmsaCredentialSpec:text* 3:runAsUserName:text* 4:hostProcess:flag*
admissionregistration.AuditAnnotation 1:key:text 2:valueExpression:text
admissionregistration.ExpressionWarning 2:fieldRef:text 3:warning:text
admissionregistration.MatchCondition 1:name:text 2:expression:text
admissionregistration.MatchResources 1:namespaceSelector:LabelSelector 2:objectSelector:LabelSelector 3:resourceRules:admissionregistration.NamedRuleWithOperations[] 4:excludeResourceRules:admissionregistration.NamedRuleWithOperations[] 7:matchPolicy:text*
admissionregistration.MutatingWebhook 1:name:text 2:clientConfig:admissionregistration.WebhookClientConfig 3:rules:admissionregistration.RuleWithOperations[] 4:failurePolicy:text* 9:matchPolicy:text* 5:namespaceSelector:LabelSelector 11:objectSelector:LabelSelector 6:sideEffects:text* 7:timeoutSeconds:number* 8:admissionReviewVersions:text[] 10:reinvocationPolicy:text* 12:matchConditions:admissionregistration.MatchCondition[]
admissionregistration.MutatingWebhookConfiguration 1:metadata:ObjectMeta 2:webhooks:admissionregistration.MutatingWebhook[]
admissionregistration.NamedRuleWithOperations 1:resourceNames:text[] 2:^:admissionregistration.RuleWithOperations
admissionregistration.ParamKind 1:apiVersion:text 2:kind:text
admissionregistration.ParamRef 1:name:text 2:namespace:text 3:selector:LabelSelector 4:parameterNotFoundAction:text*
admissionregistration.Rule 1:apiGroups:text[] 2:apiVersions:text[] 3:resources:text[] 4:scope:text*
admissionregistration.RuleWithOperations 1:operations:text[] 2:^:admissionregistration.Rule
admissionregistration.ServiceReference 1:namespace:text 2:name:text 3:path:text* 4:port:number*
admissionregistration.TypeChecking 1:expressionWarnings:admissionregistration.ExpressionWarning[]
admissionregistration.ValidatingAdmissionPolicy 1:metadata:ObjectMeta 2:spec:admissionregistration.ValidatingAdmissionPolicySpec 3:status:admissionregistration.ValidatingAdmissionPolicyStatus
admissionregistration.ValidatingAdmissionPolicyBinding 1:metadata:ObjectMeta 2:spec:admissionregistration.ValidatingAdmissionPolicyBindingSpec
admissionregistration.ValidatingAdmissionPolicyBindingSpec 1:policyName:text 2:paramRef:admissionregistration.ParamRef 3:matchResources:admissionregistration.MatchResources 4:validationActions:text[]
admissionregistration.ValidatingAdmissionPolicySpec 1:paramKind:admissionregistration.ParamKind 2:matchConstraints:admissionregistration.MatchResources 3:validations:admissionregistration.Validation[] 4:failurePolicy:text* 5:auditAnnotations:admissionregistration.AuditAnnotation[] 6:matchConditions:admissionregistration.MatchCondition[] 7:variables:admissionregistration.Variable[]
admissionregistration.ValidatingAdmissionPolicyStatus 1:observedGeneration:number 2:typeChecking:admissionregistration.TypeChecking 3:conditions:Condition[]
admissionregistration.ValidatingWebhook 1:name:text 2:clientConfig:admissionregistration.WebhookClientConfig 3:rules:admissionregistration.RuleWithOperations[] 4:failurePolicy:text* 9:matchPolicy:text* 5:namespaceSelector:LabelSelector 10:objectSelector:LabelSelector 6:sideEffects:text* 7:timeoutSeconds:number* 8:admissionReviewVersions:text[] 11:matchConditions:admissionregistration.MatchCondition[]
admissionregistration.ValidatingWebhookConfiguration 1:metadata:ObjectMeta 2:webhooks:admissionregistration.ValidatingWebhook[]
admissionregistration.Validation 1:expression:text 2:message:text 3:reason:text* 4:messageExpression:text
admissionregistration.Variable 1:name:text 2:expression:text
admissionregistration.WebhookClientConfig 3:url:text* 1:service:admissionregistration.ServiceReference 2:caBundle:bytes
apps.ControllerRevision 1:metadata:ObjectMeta 2:data:raw 3:revision:number
apps.DaemonSet 1:metadata:ObjectMeta 2:spec:apps.DaemonSetSpec
apps.DaemonSetSpec 1:selector:LabelSelector 2:template:PodTemplateSpec 3:updateStrategy:apps.DaemonSetUpdateStrategy 4:minReadySeconds:number 6:revisionHistoryLimit:number*
apps.DaemonSetUpdateStrategy 1:type:text 2:rollingUpdate:apps.RollingUpdateDaemonSet
apps.Deployment 1:metadata:ObjectMeta 2:spec:apps.DeploymentSpec
apps.DeploymentSpec 1:replicas:number* 2:selector:LabelSelector 3:template:PodTemplateSpec 4:strategy:apps.DeploymentStrategy 5:minReadySeconds:number 6:revisionHistoryLimit:number* 7:paused:flag 9:progressDeadlineSeconds:number*
apps.DeploymentStrategy 1:type:text 2:rollingUpdate:apps.RollingUpdateDeployment
apps.ReplicaSet 1:metadata:ObjectMeta 2:spec:apps.ReplicaSetSpec
apps.ReplicaSetSpec 1:replicas:number* 4:minReadySeconds:number 2:selector:LabelSelector 3:template:PodTemplateSpec
apps.RollingUpdateDaemonSet 1:maxUnavailable:intstr 2:maxSurge:intstr
apps.RollingUpdateDeployment 1:maxUnavailable:intstr 2:maxSurge:intstr
apps.RollingUpdateStatefulSetStrategy 1:partition:number* 2:maxUnavailable:intstr
apps.StatefulSet 1:metadata:ObjectMeta 2:spec:apps.StatefulSetSpec
apps.StatefulSetOrdinals 1:start:number
apps.StatefulSetPersistentVolumeClaimRetentionPolicy 1:whenDeleted:text 2:whenScaled:text
apps.StatefulSetSpec 1:replicas:number* 2:selector:LabelSelector 3:template:PodTemplateSpec 4:volumeClaimTemplates:PersistentVolumeClaim[] 5:serviceName:text 6:podManagementPolicy:text 7:updateStrategy:apps.StatefulSetUpdateStrategy 8:revisionHistoryLimit:number* 9:minReadySeconds:number 10:persistentVolumeClaimRetentionPolicy:apps.StatefulSetPersistentVolumeClaimRetentionPolicy 11:ordinals:apps.StatefulSetOrdinals
apps.StatefulSetUpdateStrategy 1:type:text 2:rollingUpdate:apps.RollingUpdateStatefulSetStrategy
authentication.SelfSubjectReview 1:metadata:ObjectMeta 2:status:authentication.SelfSubjectReviewStatus
authentication.SelfSubjectReviewStatus 1:userInfo:authentication.UserInfo
authentication.UserInfo 1:username:text 2:uid:text 3:groups:text[]
authorization.FieldSelectorAttributes 1:rawSelector:text 2:requirements:FieldSelectorRequirement[]
authorization.LabelSelectorAttributes 1:rawSelector:text 2:requirements:LabelSelectorRequirement[]
authorization.NonResourceAttributes 1:path:text 2:verb:text
authorization.ResourceAttributes 1:namespace:text 2:verb:text 3:group:text 4:version:text 5:resource:text 6:subresource:text 7:name:text 8:fieldSelector:authorization.FieldSelectorAttributes 9:labelSelector:authorization.LabelSelectorAttributes
authorization.SelfSubjectAccessReview 1:metadata:ObjectMeta 2:spec:authorization.SelfSubjectAccessReviewSpec 3:status:authorization.SubjectAccessReviewStatus
authorization.SelfSubjectAccessReviewSpec 1:resourceAttributes:authorization.ResourceAttributes 2:nonResourceAttributes:authorization.NonResourceAttributes
authorization.SubjectAccessReviewStatus 1:allowed:flag 4:denied:flag 2:reason:text 3:evaluationError:text
autoscaling.CrossVersionObjectReference 1:kind:text 2:name:text 3:apiVersion:text
autoscaling.HorizontalPodAutoscaler 1:metadata:ObjectMeta 2:spec:autoscaling.HorizontalPodAutoscalerSpec
autoscaling.HorizontalPodAutoscalerSpec 1:scaleTargetRef:autoscaling.CrossVersionObjectReference 2:minReplicas:number* 3:maxReplicas:number 4:targetCPUUtilizationPercentage:number*
autoscaling.Scale 1:metadata:ObjectMeta 2:spec:autoscaling.ScaleSpec 3:status:autoscaling.ScaleStatus
autoscaling.ScaleSpec 1:replicas:number
autoscaling.ScaleStatus 1:replicas:number 2:selector:text
autoscaling.v2.ContainerResourceMetricSource 1:name:text 2:target:autoscaling.v2.MetricTarget 3:container:text
autoscaling.v2.CrossVersionObjectReference 1:kind:text 2:name:text 3:apiVersion:text
autoscaling.v2.ExternalMetricSource 1:metric:autoscaling.v2.MetricIdentifier 2:target:autoscaling.v2.MetricTarget
autoscaling.v2.HPAScalingPolicy 1:type:text 2:value:number 3:periodSeconds:number
autoscaling.v2.HPAScalingRules 3:stabilizationWindowSeconds:number* 1:selectPolicy:text* 2:policies:autoscaling.v2.HPAScalingPolicy[] 4:tolerance:quantity
autoscaling.v2.HorizontalPodAutoscaler 1:metadata:ObjectMeta 2:spec:autoscaling.v2.HorizontalPodAutoscalerSpec
autoscaling.v2.HorizontalPodAutoscalerBehavior 1:scaleUp:autoscaling.v2.HPAScalingRules 2:scaleDown:autoscaling.v2.HPAScalingRules
autoscaling.v2.HorizontalPodAutoscalerSpec 1:scaleTargetRef:autoscaling.v2.CrossVersionObjectReference 2:minReplicas:number* 3:maxReplicas:number 4:metrics:autoscaling.v2.MetricSpec[] 5:behavior:autoscaling.v2.HorizontalPodAutoscalerBehavior
autoscaling.v2.MetricIdentifier 1:name:text 2:selector:LabelSelector
autoscaling.v2.MetricSpec 1:type:text 2:object:autoscaling.v2.ObjectMetricSource 3:pods:autoscaling.v2.PodsMetricSource 4:resource:autoscaling.v2.ResourceMetricSource 7:containerResource:autoscaling.v2.ContainerResourceMetricSource 5:external:autoscaling.v2.ExternalMetricSource
autoscaling.v2.MetricTarget 1:type:text 2:value:quantity 3:averageValue:quantity 4:averageUtilization:number*
autoscaling.v2.ObjectMetricSource 1:describedObject:autoscaling.v2.CrossVersionObjectReference 2:target:autoscaling.v2.MetricTarget 3:metric:autoscaling.v2.MetricIdentifier
autoscaling.v2.PodsMetricSource 1:metric:autoscaling.v2.MetricIdentifier 2:target:autoscaling.v2.MetricTarget
autoscaling.v2.ResourceMetricSource 1:name:text 2:target:autoscaling.v2.MetricTarget
batch.CronJob 1:metadata:ObjectMeta 2:spec:batch.CronJobSpec
batch.CronJobSpec 1:schedule:text 8:timeZone:text* 2:startingDeadlineSeconds:number* 3:concurrencyPolicy:text 4:suspend:flag* 5:jobTemplate:batch.JobTemplateSpec 6:successfulJobsHistoryLimit:number* 7:failedJobsHistoryLimit:number*
batch.Job 1:metadata:ObjectMeta 2:spec:batch.JobSpec
batch.JobSpec 1:parallelism:number* 2:completions:number* 3:activeDeadlineSeconds:number* 11:podFailurePolicy:batch.PodFailurePolicy 16:successPolicy:batch.SuccessPolicy 7:backoffLimit:number* 12:backoffLimitPerIndex:number* 13:maxFailedIndexes:number* 4:selector:LabelSelector 5:manualSelector:flag* 6:template:PodTemplateSpec 8:ttlSecondsAfterFinished:number* 9:completionMode:text* 10:suspend:flag* 14:podReplacementPolicy:text* 15:managedBy:text*
batch.JobTemplateSpec 1:metadata:ObjectMeta 2:spec:batch.JobSpec
batch.PodFailurePolicy 1:rules:batch.PodFailurePolicyRule[]
batch.PodFailurePolicyOnExitCodesRequirement 1:containerName:text* 2:operator:text 3:values:number[]
batch.PodFailurePolicyOnPodConditionsPattern 1:type:text 2:status:text
batch.PodFailurePolicyRule 1:action:text 2:onExitCodes:batch.PodFailurePolicyOnExitCodesRequirement 3:onPodConditions:batch.PodFailurePolicyOnPodConditionsPattern[]
batch.SuccessPolicy 1:rules:batch.SuccessPolicyRule[]
batch.SuccessPolicyRule 1:succeededIndexes:text* 2:succeededCount:number*
certificates.CertificateSigningRequest 1:metadata:ObjectMeta 2:spec:certificates.CertificateSigningRequestSpec 3:status:certificates.CertificateSigningRequestStatus
certificates.CertificateSigningRequestCondition 1:type:text 6:status:text 2:reason:text 3:message:text 4:lastUpdateTime:time 5:lastTransitionTime:time
certificates.CertificateSigningRequestSpec 1:request:bytes 7:signerName:text 8:expirationSeconds:number* 5:usages:text[] 2:username:text 3:uid:text 4:groups:text[]
certificates.CertificateSigningRequestStatus 1:conditions:certificates.CertificateSigningRequestCondition[] 2:certificate:bytes
coordination.Lease 1:metadata:ObjectMeta 2:spec:coordination.LeaseSpec
coordination.LeaseSpec 1:holderIdentity:text* 2:leaseDurationSeconds:number* 3:acquireTime:time 4:renewTime:time 5:leaseTransitions:number* 6:strategy:text* 7:preferredHolder:text*
discovery.Endpoint 1:addresses:text[] 2:conditions:discovery.EndpointConditions 3:hostname:text* 4:targetRef:ObjectReference 5:deprecatedTopology:text{} 6:nodeName:text* 7:zone:text* 8:hints:discovery.EndpointHints
discovery.EndpointConditions 1:ready:flag* 2:serving:flag* 3:terminating:flag*
discovery.EndpointHints 1:forZones:discovery.ForZone[] 2:forNodes:discovery.ForNode[]
discovery.EndpointPort 1:name:text* 2:protocol:text* 3:port:number* 4:appProtocol:text*
discovery.EndpointSlice 1:metadata:ObjectMeta 4:addressType:text 2:endpoints:discovery.Endpoint[] 3:ports:discovery.EndpointPort[]
discovery.ForNode 1:name:text
discovery.ForZone 1:name:text
events.Event 1:metadata:ObjectMeta 2:eventTime:time 3:series:events.EventSeries 4:reportingController:text 5:reportingInstance:text 6:action:text 7:reason:text 8:regarding:ObjectReference 9:related:ObjectReference 10:note:text 11:type:text 12:deprecatedSource:EventSource 13:deprecatedFirstTimestamp:time 14:deprecatedLastTimestamp:time 15:deprecatedCount:number
events.EventSeries 1:count:number 2:lastObservedTime:time
networking.HTTPIngressPath 1:path:text 3:pathType:text* 2:backend:networking.IngressBackend
networking.HTTPIngressRuleValue 1:paths:networking.HTTPIngressPath[]
networking.IPBlock 1:cidr:text 2:except:text[]
networking.Ingress 1:metadata:ObjectMeta 2:spec:networking.IngressSpec
networking.IngressBackend 4:service:networking.IngressServiceBackend 3:resource:TypedLocalObjectReference
networking.IngressClass 1:metadata:ObjectMeta 2:spec:networking.IngressClassSpec
networking.IngressClassParametersReference 1:apiGroup:text* 2:kind:text 3:name:text 4:scope:text* 5:namespace:text*
networking.IngressClassSpec 1:controller:text 2:parameters:networking.IngressClassParametersReference
networking.IngressRule 1:host:text 2:^:networking.IngressRuleValue
networking.IngressRuleValue 1:http:networking.HTTPIngressRuleValue
networking.IngressServiceBackend 1:name:text 2:port:networking.ServiceBackendPort
networking.IngressSpec 4:ingressClassName:text* 1:defaultBackend:networking.IngressBackend 2:tls:networking.IngressTLS[] 3:rules:networking.IngressRule[]
networking.IngressTLS 1:hosts:text[] 2:secretName:text
networking.NetworkPolicy 1:metadata:ObjectMeta 2:spec:networking.NetworkPolicySpec
networking.NetworkPolicyEgressRule 1:ports:networking.NetworkPolicyPort[] 2:to:networking.NetworkPolicyPeer[]
networking.NetworkPolicyIngressRule 1:ports:networking.NetworkPolicyPort[] 2:from:networking.NetworkPolicyPeer[]
networking.NetworkPolicyPeer 1:podSelector:LabelSelector 2:namespaceSelector:LabelSelector 3:ipBlock:networking.IPBlock
networking.NetworkPolicyPort 1:protocol:text* 2:port:intstr 3:endPort:number*
networking.NetworkPolicySpec 1:podSelector:LabelSelector 2:ingress:networking.NetworkPolicyIngressRule[] 3:egress:networking.NetworkPolicyEgressRule[] 4:policyTypes:text[]
networking.ServiceBackendPort 1:name:text 2:number:number
node.Overhead 1:podFixed:quantity{}
node.RuntimeClass 1:metadata:ObjectMeta 2:handler:text 3:overhead:node.Overhead 4:scheduling:node.Scheduling
node.Scheduling 1:nodeSelector:text{} 2:tolerations:Toleration[]
policy.Eviction 1:metadata:ObjectMeta 2:deleteOptions:DeleteOptions
policy.PodDisruptionBudget 1:metadata:ObjectMeta 2:spec:policy.PodDisruptionBudgetSpec
policy.PodDisruptionBudgetSpec 1:minAvailable:intstr 2:selector:LabelSelector 3:maxUnavailable:intstr 4:unhealthyPodEvictionPolicy:text*
rbac.AggregationRule 1:clusterRoleSelectors:LabelSelector[]
rbac.ClusterRole 1:metadata:ObjectMeta 2:rules:rbac.PolicyRule[] 3:aggregationRule:rbac.AggregationRule
rbac.ClusterRoleBinding 1:metadata:ObjectMeta 2:subjects:rbac.Subject[] 3:roleRef:rbac.RoleRef
rbac.PolicyRule 1:verbs:text[] 2:apiGroups:text[] 3:resources:text[] 4:resourceNames:text[] 5:nonResourceURLs:text[]
rbac.Role 1:metadata:ObjectMeta 2:rules:rbac.PolicyRule[]
rbac.RoleBinding 1:metadata:ObjectMeta 2:subjects:rbac.Subject[] 3:roleRef:rbac.RoleRef
rbac.RoleRef 1:apiGroup:text 2:kind:text 3:name:text
rbac.Subject 1:kind:text 2:apiGroup:text 3:name:text 4:namespace:text
scheduling.PriorityClass 1:metadata:ObjectMeta 2:value:number 3:globalDefault:flag 4:description:text 5:preemptionPolicy:text*
storage.CSIDriver 1:metadata:ObjectMeta 2:spec:storage.CSIDriverSpec
storage.CSIDriverSpec 1:attachRequired:flag* 2:podInfoOnMount:flag* 3:volumeLifecycleModes:text[] 4:storageCapacity:flag* 5:fsGroupPolicy:text* 6:tokenRequests:storage.TokenRequest[] 7:requiresRepublish:flag* 8:seLinuxMount:flag* 9:nodeAllocatableUpdatePeriodSeconds:number* 10:serviceAccountTokenInSecrets:flag* 11:preventPodSchedulingIfMissing:flag*
storage.CSINode 1:metadata:ObjectMeta 2:spec:storage.CSINodeSpec
storage.CSINodeDriver 1:name:text 2:nodeID:text 3:topologyKeys:text[] 4:allocatable:storage.VolumeNodeResources
storage.CSINodeSpec 1:drivers:storage.CSINodeDriver[]
storage.CSIStorageCapacity 1:metadata:ObjectMeta 2:nodeTopology:LabelSelector 3:storageClassName:text 4:capacity:quantity 5:maximumVolumeSize:quantity
storage.StorageClass 1:metadata:ObjectMeta 2:provisioner:text 3:parameters:text{} 4:reclaimPolicy:text* 5:mountOptions:text[] 6:allowVolumeExpansion:flag* 7:volumeBindingMode:text* 8:allowedTopologies:TopologySelectorTerm[]
storage.TokenRequest 1:audience:text 2:expirationSeconds:number*
storage.VolumeAttachment 1:metadata:ObjectMeta 2:spec:storage.VolumeAttachmentSpec
storage.VolumeAttachmentSource 1:persistentVolumeName:text* 2:inlineVolumeSpec:PersistentVolumeSpec
storage.VolumeAttachmentSpec 1:attacher:text 2:source:storage.VolumeAttachmentSource 3:nodeName:text
storage.VolumeNodeResources 1:count:number*
`

/** The message of each kind of object. */
const kinds = `
DeleteOptions DeleteOptions
admissionregistration.k8s.io/v1/MutatingWebhookConfiguration admissionregistration.MutatingWebhookConfiguration
admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy admissionregistration.ValidatingAdmissionPolicy
admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding admissionregistration.ValidatingAdmissionPolicyBinding
admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration admissionregistration.ValidatingWebhookConfiguration
apps/v1/ControllerRevision apps.ControllerRevision
apps/v1/DaemonSet apps.DaemonSet
apps/v1/Deployment apps.Deployment
apps/v1/ReplicaSet apps.ReplicaSet
apps/v1/StatefulSet apps.StatefulSet
authentication.k8s.io/v1/SelfSubjectReview authentication.SelfSubjectReview
authorization.k8s.io/v1/SelfSubjectAccessReview authorization.SelfSubjectAccessReview
autoscaling/v1/HorizontalPodAutoscaler autoscaling.HorizontalPodAutoscaler
autoscaling/v1/Scale autoscaling.Scale
autoscaling/v2/HorizontalPodAutoscaler autoscaling.v2.HorizontalPodAutoscaler
batch/v1/CronJob batch.CronJob
batch/v1/Job batch.Job
certificates.k8s.io/v1/CertificateSigningRequest certificates.CertificateSigningRequest
coordination.k8s.io/v1/Lease coordination.Lease
discovery.k8s.io/v1/EndpointSlice discovery.EndpointSlice
events.k8s.io/v1/Event events.Event
networking.k8s.io/v1/Ingress networking.Ingress
networking.k8s.io/v1/IngressClass networking.IngressClass
networking.k8s.io/v1/NetworkPolicy networking.NetworkPolicy
node.k8s.io/v1/RuntimeClass node.RuntimeClass
policy/v1/Eviction policy.Eviction
policy/v1/PodDisruptionBudget policy.PodDisruptionBudget
rbac.authorization.k8s.io/v1/ClusterRole rbac.ClusterRole
rbac.authorization.k8s.io/v1/ClusterRoleBinding rbac.ClusterRoleBinding
rbac.authorization.k8s.io/v1/Role rbac.Role
rbac.authorization.k8s.io/v1/RoleBinding rbac.RoleBinding
scheduling.k8s.io/v1/PriorityClass scheduling.PriorityClass
storage.k8s.io/v1/CSIDriver storage.CSIDriver
storage.k8s.io/v1/CSINode storage.CSINode
storage.k8s.io/v1/CSIStorageCapacity storage.CSIStorageCapacity
storage.k8s.io/v1/StorageClass storage.StorageClass
storage.k8s.io/v1/VolumeAttachment storage.VolumeAttachment
v1/Binding Binding
v1/ConfigMap ConfigMap
v1/Endpoints Endpoints
v1/Event Event
v1/LimitRange LimitRange
v1/Namespace Namespace
v1/Node Node
v1/PersistentVolume PersistentVolume
v1/PersistentVolumeClaim PersistentVolumeClaim
v1/Pod Pod
v1/PodTemplate PodTemplate
v1/ReplicationController ReplicationController
v1/ResourceQuota ResourceQuota
v1/Secret Secret
v1/Service Service
v1/ServiceAccount ServiceAccount
`

export interface MessageField {
  readonly key: string
  /** `text`, `Container`, … */
  readonly type: string
  readonly isPointer: boolean
  readonly isList: boolean
  readonly isMap: boolean
}

const fieldsByMessage = new Map(linesOf(messages).map((line) => [line.split(' ')[0] ?? '', readFields(line)]))
const messageByKind = new Map(linesOf(kinds).map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']))

/** Fields by number; `undefined` if the name is not that of a message. */
export function fieldsOf(message: string): ReadonlyMap<number, MessageField> | undefined {
  return fieldsByMessage.get(message)
}

export function messageOf(apiVersion: string, kind: string): string | undefined {
  return messageByKind.get(kind === 'DeleteOptions' ? kind : `${apiVersion}/${kind}`)
}

function readFields(line: string): ReadonlyMap<number, MessageField> {
  const fields = line.split(' ').slice(1)
  return new Map(
    fields.map((text) => {
      const [number = '', key = '', type = ''] = text.split(':')
      const field = {
        key,
        type: type.replace(/[*[\]{}]+$/, ''),
        isPointer: type.endsWith('*'),
        isList: type.endsWith('[]'),
        isMap: type.endsWith('{}'),
      }
      return [Number(number), field]
    }),
  )
}

function linesOf(text: string): string[] {
  return text.trim().split('\n')
}
