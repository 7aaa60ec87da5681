import type { StoredObject } from '../object.js'
import type { KubeletOptions } from '../seam.js'

/** The Node that a kubelet registers. Taints are set only here: afterwards they belong to the cluster. */
export function newNode(options: KubeletOptions, uid: string, stamp: string): StoredObject {
  const taints = [...options.taints, ...(options.externalCloudProvider ? [uninitialized] : [])]
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: options.nodeName,
      uid,
      creationTimestamp: stamp,
      labels: labelsOf(options),
      annotations: { ...options.annotations },
    },
    spec: taints.length > 0 ? { taints } : {},
    status: {
      capacity: { cpu: '4', memory: '8131832Ki', pods: '110', 'ephemeral-storage': '37483716Ki' },
      allocatable: { cpu: '3950m', memory: '7504120Ki', pods: '110', 'ephemeral-storage': '34276983341' },
      addresses: [
        ...options.addresses.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: options.nodeName },
      ],
      conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
        type,
        status: 'False',
        lastTransitionTime: stamp,
      })),
      nodeInfo: {
        machineID: uid.replaceAll('-', ''),
        systemUUID: options.systemUuid,
        bootID: options.bootId ?? uid,
        kernelVersion: '6.18.0-talos',
        osImage: `Talos (${options.talosVersion})`,
        containerRuntimeVersion: 'containerd://2.1.0',
        kubeletVersion: options.version,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  }
}

const uninitialized = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }

function labelsOf({ nodeName, role, labels, extensions }: KubeletOptions): Record<string, string> {
  const named = extensions.map(
    (extension) => [`extensions.talos.dev/${extension.split('/').at(-1)}`, 'v1.0.0'] as const,
  )
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': nodeName,
    'kubernetes.io/os': 'linux',
    ...(role === 'controlplane' ? { 'node-role.kubernetes.io/control-plane': '' } : {}),
    ...Object.fromEntries(named),
    ...labels,
  }
}
