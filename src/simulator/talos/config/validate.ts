import { addressProblems } from './address-rules.js'
import { type ConfigFacts, factsOf, versionOfImage } from './config-facts.js'
import { conflictsIn } from './conflicts.js'
import { type ConfigDocument, ConfigUnreadable, isMapping, type MachineConfig } from './documents.js'
import { type KeyShape, parseKeyShape, unknownKeys } from './key-shape.js'
import { keysFromTheFuture } from './keys-since.js'
import { knownDocuments } from './known-documents.js'
import { knownV1alpha1 } from './known-v1alpha1.js'
import { findText, readerOf } from './read-values.js'
import { roleProblems } from './role-rules.js'
import { settingProblems } from './setting-rules.js'
import { kubernetesRange, minorOf } from './talos-version.js'
import { decoded, typeProblems } from './value-types.js'

/** What a config is validated against: the running version, the boot source, and whether it is installed. */
export interface ValidationContext {
  readonly talos: string
  readonly platform: 'nocloud' | 'metal'
  readonly isInstalled: boolean
}

/** All errors that Talos would report for a config that it can parse. */
export function validateConfig(config: MachineConfig, context: ValidationContext): string[] {
  const versions = config.v1alpha1 === undefined ? [] : versionProblems(factsOf(config), context.talos)
  return [...validateStoredConfig(config, context), ...versions]
}

/** The errors at boot, when the versions of Kubernetes are not checked. Throws on what cannot be decoded. */
export function validateStoredConfig(given: MachineConfig, context: ValidationContext): string[] {
  const minor = minorOf(context.talos)
  refuseUndecodable(given, minor)
  const config = asDecoded(given)
  const facts = config.v1alpha1 === undefined ? undefined : factsOf(config)
  return [
    ...conflictsIn(config, minor),
    ...hostnameProblems(config),
    ...linkProblems(config),
    ...settingProblems(config, minor),
    ...addressProblems(config),
    ...(facts === undefined ? [] : completeProblems(config, facts, context)),
  ]
}

const v1alpha1Shape = parseKeyShape(knownV1alpha1)
const documentShapes = new Map<string, KeyShape>()

function asDecoded(config: MachineConfig): MachineConfig {
  const v1alpha1 = decoded(config.v1alpha1, v1alpha1Shape)
  return isMapping(v1alpha1) ? { ...config, v1alpha1 } : config
}

function shapeOf(kind: string): KeyShape {
  const known = documentShapes.get(kind) ?? parseKeyShape(`apiVersion kind ${knownDocuments[kind]?.[1] ?? ''}`)
  documentShapes.set(kind, known)
  return known
}

/** The decoder stops at the first document that it cannot read; since 1.12 the error names it. */
export function refuseUndecodable(config: MachineConfig, minor: number): void {
  const { v1alpha1, place = '', documents } = config
  const future = keysFromTheFuture(config, minor)
  const problems = [
    ...documents.map((one) => ({ place: one.place, problem: documentProblem(one, minor) })),
    { place, problem: typeProblems(v1alpha1, v1alpha1Shape)[0] },
    { place, problem: keyProblem([...unknownKeys(v1alpha1, v1alpha1Shape), ...future]) },
    ...documents.map((one) => ({ place: one.place, problem: keyProblem(unknownKeys(one.body, shapeOf(one.kind))) })),
  ]
  const first = problems.find(({ problem }) => problem !== undefined)
  if (first === undefined) return
  throw new ConfigUnreadable(`${minor >= 12 ? `error decoding document ${first.place}: ` : ''}${first.problem}`)
}

function documentProblem({ kind, body }: ConfigDocument, minor: number): string | undefined {
  const since = knownDocuments[kind]?.[0]
  const isKnown = since !== undefined && since <= minor && body.apiVersion === 'v1alpha1'
  return isKnown ? undefined : `"${kind}" "${String(body.apiVersion)}": not registered`
}

function keyProblem(unknown: readonly string[]): string | undefined {
  return unknown.length === 0 ? undefined : `unknown keys found during decoding:\n${unknown.join('\n')}`
}

function hostnameProblems({ documents }: MachineConfig): string[] {
  const body = documents.find(({ kind }) => kind === 'HostnameConfig')?.body
  if (body === undefined) return []
  const hostname = findText(body.hostname)
  const auto = body.auto === false ? 'off' : findText(body.auto)
  if (auto === undefined && hostname === undefined) return ["either 'auto' or 'hostname' must be set"]
  if (auto === 'stable' && hostname !== undefined) return ["'auto' and 'hostname' cannot be set at the same time"]
  if (auto !== undefined && auto !== 'stable' && auto !== 'off') return [`invalid value for 'auto': ${auto}`]
  return hostname === undefined || isHostname(hostname) ? [] : [`invalid hostname "${hostname}"`]
}

function isHostname(name: string): boolean {
  const [first = ''] = name.split('.')
  return name.length <= 253 && first.length >= 1 && first.length <= 63
}

const linkKinds = ['LinkConfig', 'BondConfig', 'VLANConfig', 'BridgeConfig', 'DummyLinkConfig', 'WireguardConfig']

function linkProblems({ documents }: MachineConfig): string[] {
  const names = documents.filter(({ kind }) => linkKinds.includes(kind)).map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return twice.map((name) => `conflicting link configurations: ${name}`)
}

function completeProblems(config: MachineConfig, facts: ConfigFacts, context: ValidationContext): string[] {
  return [
    ...roleProblems(config, facts, context.talos),
    ...(readerOf(config).v1('persist') === false ? ['.persist should be enabled'] : []),
    ...endpointProblems(facts),
    ...discoveryProblems(config),
    ...serviceAccountProblems(config, minorOf(context.talos)),
    ...installProblems(config, context),
    ...kubeletProblems(config),
  ]
}

/** The old section requires its ID and secret in the old place. */
function discoveryProblems(config: MachineConfig): string[] {
  const reader = readerOf(config)
  const isOn = reader.v1('cluster.discovery.enabled') === true
  const isServed = reader.v1('cluster.discovery.registries.service.disabled') !== true
  if (!isOn || !isServed) return []
  return ['id', 'secret']
    .filter((key) => findText(reader.v1(`cluster.${key}`)) === undefined)
    .map((key) => `cluster discovery service requires .cluster.${key}`)
}

/** The issuer of service accounts is derived from the endpoint in the same document. */
function serviceAccountProblems(config: MachineConfig, minor: number): string[] {
  const reader = readerOf(config)
  const isSplit =
    isMapping(reader.v1('cluster.serviceAccount')) && findText(reader.v1('cluster.controlPlane.endpoint')) === undefined
  return minor >= 14 && isSplit
    ? ['.cluster.serviceAccount requires the cluster endpoint to be set in the same document']
    : []
}

function endpointProblems({ endpoint }: ConfigFacts): string[] {
  if (endpoint === '') return ['cluster endpoint is required']
  return /^https?:\/\/[^/]+/.test(endpoint) ? [] : [`invalid controlplane endpoint: "${endpoint}"`]
}

/** Only a metal machine that is not installed yet must set the install disk. */
function installProblems(config: MachineConfig, { talos, platform, isInstalled }: ValidationContext): string[] {
  const install = readerOf(config).v1('machine.install')
  if (platform !== 'metal' || isInstalled) return []
  if (!isMapping(install)) return minorOf(talos) <= 13 ? ['install instructions are required in "metal" mode'] : []
  const { disk, diskSelector, extraKernelArgs, grubUseUKICmdline } = install
  const hasArgs = Array.isArray(extraKernelArgs) && extraKernelArgs.length > 0
  const hasDisk = findText(disk) !== undefined || isMapping(diskSelector)
  return [
    ...(hasArgs && grubUseUKICmdline === true
      ? ["install.extraKernelArgs and install.grubUseUKICmdline can't be used together"]
      : []),
    ...(hasDisk || minorOf(talos) > 13 ? [] : ['either install disk or diskSelector should be defined']),
  ]
}

const deniedSettings = [
  'apiVersion',
  'authentication',
  'authorization',
  'cgroupRoot',
  'kind',
  'kubeletCgroups',
  'port',
  'protectKernelDefaults',
  'resolvConf',
  'rotateCertificates',
  'systemCgroups',
  'staticPodPath',
  'seccompDefault',
]
function kubeletProblems(config: MachineConfig): string[] {
  const settings = readerOf(config).either('KubeletConfig', 'config', 'machine.kubelet.extraConfig')
  return deniedSettings
    .filter((name) => isMapping(settings) && name in settings)
    .map((name) => `kubelet configuration field "${name}" can't be overridden`)
}

function versionProblems({ images }: ConfigFacts, talos: string): string[] {
  const { from, to } = kubernetesRange(talos)
  const versions = new Set(Object.values(images).map(versionOfImage))
  return [...versions].flatMap((version) => {
    const minor = minorOf(version ?? '')
    if (version === undefined || (minor >= from && minor <= to)) return []
    const side = minor < from ? 'too old' : 'too new'
    return [`version of Kubernetes ${version.slice(1)} is ${side} to be used with Talos ${talos.slice(1)}`]
  })
}
