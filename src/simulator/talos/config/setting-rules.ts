import { CelError } from '../cel/cel-error.js'
import { diskSelector } from '../cel/disk-selector.js'
import { isMapping, type MachineConfig, type Mapping } from './documents.js'
import { type ConfigReader, findText, mappingsOf, readerOf, textMapOf, textsOf } from './read-values.js'
import { diskSelectorsIn } from './volume-facts.js'

/** Invalid settings, one rule each. */
export function settingProblems(config: MachineConfig, minor: number): string[] {
  const reader = readerOf(config)
  return [
    ...cniProblems(reader),
    ...dnsProblems(reader),
    ...manifestProblems(reader),
    ...cloudProviderProblems(reader),
    ...kubespanProblems(reader),
    ...nodeProblems(reader),
    ...mappingsOf(reader.v1('machine.network.interfaces')).flatMap(deviceProblems),
    ...reader.documents('UserVolumeConfig').flatMap(({ name = '', body }) => volumeProblems(name, body)),
    ...selectorProblems(config, minor),
  ]
}

function cniProblems(reader: ConfigReader): string[] {
  const cni = reader.v1('cluster.network.cni')
  if (!isMapping(cni)) return []
  const name = findText(cni.name) ?? 'flannel'
  if (!['flannel', 'custom', 'none'].includes(name)) return ['cni name should be one of ["flannel", "custom", "none"]']
  const hasUrls = textsOf(cni.urls).length > 0
  return name !== 'custom' && hasUrls ? [`"urls" field should be empty for "${name}" CNI`] : []
}

function dnsProblems(reader: ConfigReader): string[] {
  const domain = findText(reader.v1('cluster.network.dnsDomain'))
  const isDomain =
    domain === undefined || /^([a-z0-9_]([a-z0-9-_]*[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(domain)
  const hostDns = reader.v1('machine.features.hostDNS')
  const forwardsAlone = isMapping(hostDns) && hostDns.forwardKubeDNSToHost === true && hostDns.enabled !== true
  return [
    ...(isDomain ? [] : [`"${domain}" is not a valid DNS name`]),
    ...(forwardsAlone ? ['feature hostDNS.forwardKubeDNSToHost requires hostDNS.enabled to be true'] : []),
  ]
}

function manifestProblems(reader: ConfigReader): string[] {
  const names = mappingsOf(reader.v1('cluster.inlineManifests')).map(({ name }) => findText(name) ?? '')
  return [
    ...names.filter((name) => name.trim() === '').map(() => "inline manifest name can't be empty"),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `inline manifest name "${name}" is duplicate`),
  ]
}

function cloudProviderProblems(reader: ConfigReader): string[] {
  const provider = reader.v1('cluster.externalCloudProvider')
  if (!isMapping(provider)) return []
  const manifests = textsOf(provider.manifests)
  if (provider.enabled !== true && manifests.length > 0) {
    return ['external cloud provider is disabled, but manifests are provided']
  }
  return manifests
    .filter((url) => !/^https?:\/\/[^/]+/.test(url))
    .map((url) => `invalid external cloud provider manifest url "${url}"`)
}

function kubespanProblems(reader: ConfigReader): string[] {
  const isOn = reader.either('KubeSpanConfig', 'enabled', 'machine.network.kubespan.enabled') === true
  const isFound =
    reader.v1('cluster.discovery.enabled') === true || reader.document('DiscoveryServiceConfig') !== undefined
  return isOn && !isFound ? ['.cluster.discovery should be enabled when .machine.network.kubespan is enabled'] : []
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const qualifiedName = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/

function nodeProblems(reader: ConfigReader): string[] {
  const labels = Object.entries(textMapOf(reader.either('KubeNodeConfig', 'labels', 'machine.nodeLabels')))
  const annotations = Object.keys(textMapOf(reader.either('KubeNodeConfig', 'annotations', 'machine.nodeAnnotations')))
  const taints = Object.entries(textMapOf(reader.either('KubeNodeConfig', 'taints', 'machine.nodeTaints')))
  return [
    ...labels
      .filter(([key, value]) => !qualifiedName.test(key) || !labelValue.test(value))
      .map(([key, value]) => `invalid machine node labels: "${key}=${value}"`),
    ...annotations.filter((key) => !qualifiedName.test(key)).map((key) => `invalid machine node annotations: "${key}"`),
    ...taints
      .filter(([, text]) => !effects.includes(text.split(':').at(-1) ?? ''))
      .map(([, text]) => `invalid machine node taints: invalid taint effect: "${text.split(':').at(-1)}"`),
  ]
}

/** A device is named or selected, exactly one of both. */
function deviceProblems(device: Mapping): string[] {
  if (device.ignore === true) return []
  const isNamed = findText(device.interface) !== undefined
  const selector = device.deviceSelector
  const place = '[networking.os.device.interface], [networking.os.device.deviceSelector]'
  if (!isNamed && !isMapping(selector)) return [`${place}: required config section`]
  if (isNamed && isMapping(selector)) return [`${place}: config sections are mutually exclusive`]
  const isEmpty = isMapping(selector) && Object.values(selector).every((value) => value === '' || value === null)
  return isEmpty ? ['[networking.os.device.deviceSelector]: config section should contain at least one field'] : []
}

/** A partition needs a disk and a size; a whole disk or a directory does not. */
function volumeProblems(name: string, { volumeType, provisioning }: Mapping): string[] {
  if (volumeType === 'disk' || volumeType === 'directory') return []
  const wanted = isMapping(provisioning) ? provisioning : {}
  const hasSize = findText(wanted.minSize) !== undefined || findText(wanted.maxSize) !== undefined
  return [
    ...(isMapping(wanted.diskSelector) ? [] : [`UserVolumeConfig/${name}: disk selector is required`]),
    ...(hasSize ? [] : [`UserVolumeConfig/${name}: min size or max size is required`]),
  ]
}

/** Selectors of disks are compiled when the config is checked. */
function selectorProblems(config: MachineConfig, minor: number): string[] {
  return diskSelectorsIn(config).flatMap(({ document, match }) => {
    try {
      diskSelector(match, minor)
      return []
    } catch (error) {
      if (error instanceof CelError) return [`${document}: disk selector is invalid: ${error.message}`]
      throw error
    }
  })
}
