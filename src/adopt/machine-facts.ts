import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../talos/config/config-value.js'
import { kindOf } from '../talos/config/read-config.js'
import { isCidr, type MachineNetwork, networkIn } from './machine-network.js'

/** The parts of a machine config for which the inventory has keys. */
export interface MachineFacts {
  readonly clusterName?: string
  readonly endpoint?: string
  /** Set in the config itself: else it comes from DHCP or the platform. */
  readonly hostname?: string
  readonly network: MachineNetwork
  readonly podSubnets: readonly string[]
  readonly serviceSubnets: readonly string[]
  readonly dnsDomain?: string
  readonly cni: string
  readonly hasKubeProxy: boolean
  readonly hasDiscovery: boolean
  readonly hasKubePrism: boolean
  readonly schedulesOnControlPlanes: boolean
  readonly sysctls: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly installDisk?: string
  readonly installImage?: string
  /** Of the kubelet. */
  readonly kubernetesVersion?: string
  readonly encryption?: 'node-id' | 'tpm'
}

/** Facts of the documents of one machine config. A missing field means what Talos makes of it. */
export function factsOf(documents: readonly ConfigObject[]): MachineFacts {
  const main = documents.find((document) => kindOf(document) === 'v1alpha1') ?? {}
  const kind = (name: string) => documents.find((document) => kindOf(document) === name)
  const text = (...path: string[]) => textAt(main, path)
  const hostname = textAt(kind('HostnameConfig') ?? {}, ['hostname']) ?? text('machine', 'network', 'hostname')
  const clusterName = text('cluster', 'clusterName') ?? textAt(kind('KubeClusterConfig') ?? {}, ['clusterName'])
  const endpoint = text('cluster', 'controlPlane', 'endpoint') ?? textAt(kind('KubeClusterConfig') ?? {}, ['endpoint'])
  const image = text('machine', 'kubelet', 'image') ?? textAt(kind('KubeletConfig') ?? {}, ['image'])
  const kubernetesVersion = /:(v\d+\.\d+\.\d+\S*)$/.exec(image ?? '')?.[1]
  const dnsDomain = text('cluster', 'network', 'dnsDomain')
  const [installDisk, installImage] = [text('machine', 'install', 'disk'), text('machine', 'install', 'image')]
  const encryption = encryptionOf(main, documents)
  return {
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(hostname === undefined ? {} : { hostname }),
    ...(dnsDomain === undefined ? {} : { dnsDomain }),
    ...(installDisk === undefined ? {} : { installDisk }),
    ...(installImage === undefined ? {} : { installImage }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(encryption === undefined ? {} : { encryption }),
    network: networkIn(documents),
    podSubnets: textsAt(main, ['cluster', 'network', 'podSubnets']).filter(isCidr),
    serviceSubnets: textsAt(main, ['cluster', 'network', 'serviceSubnets']).filter(isCidr),
    cni: text('cluster', 'network', 'cni', 'name') ?? 'flannel',
    hasKubeProxy: valueAt(main, ['cluster', 'proxy', 'disabled']) !== true,
    hasDiscovery: valueAt(main, ['cluster', 'discovery', 'enabled']) !== false,
    hasKubePrism: valueAt(main, ['machine', 'features', 'kubePrism', 'enabled']) === true,
    schedulesOnControlPlanes: valueAt(main, ['cluster', 'allowSchedulingOnControlPlanes']) === true,
    sysctls: mapAt(main, ['machine', 'sysctls']),
    labels: mapAt(main, ['machine', 'nodeLabels']),
  }
}

/** Both system volumes with one kind of key: what the inventory has a key for. */
function encryptionOf(main: ConfigObject, documents: readonly ConfigObject[]): MachineFacts['encryption'] {
  const volumes = ['STATE', 'EPHEMERAL'].map((name) =>
    documents.find((document) => kindOf(document) === 'VolumeConfig' && document.name === name),
  )
  const keys = [
    valueAt(main, ['machine', 'systemDiskEncryption', 'state', 'keys']),
    valueAt(main, ['machine', 'systemDiskEncryption', 'ephemeral', 'keys']),
    ...volumes.map((volume) => valueAt(volume ?? {}, ['encryption', 'keys'])),
  ].filter((found) => found !== undefined)
  if (keys.length < 2) return undefined
  const kinds = new Set(
    keys.map((list) => (isConfigList(list) && isConfigObject(list[0]) && 'tpm' in list[0] ? 'tpm' : 'node-id')),
  )
  return kinds.size > 1 ? undefined : [...kinds][0]
}

function valueAt(value: ConfigValue, path: readonly string[]): ConfigValue | undefined {
  return path.reduce<ConfigValue | undefined>(
    (found, key) => (isConfigObject(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  )
}

function textAt(value: ConfigValue, path: readonly string[]): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function textsAt(value: ConfigValue, path: readonly string[]): string[] {
  const found = valueAt(value, path)
  return isConfigList(found) ? found.filter((entry): entry is string => typeof entry === 'string') : []
}

function mapAt(value: ConfigValue, path: readonly string[]): Record<string, string> {
  const found = valueAt(value, path)
  if (!isConfigObject(found)) return {}
  return Object.fromEntries(Object.entries(found).map(([key, text]) => [key, String(text)]))
}
