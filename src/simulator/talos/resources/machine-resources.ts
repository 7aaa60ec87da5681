import { stringify } from 'yaml'
import { findDocument } from '../config/documents.js'
import type { Stage, TalosMachine } from '../machine/machine.js'
import { isTimeSynced } from '../machine/time-sync.js'
import { proto } from './proto-spec.js'
import type { ResourceItem, ResourceKind } from './resource-kind.js'

const stages: readonly Stage[] = [
  'booting',
  'installing',
  'maintenance',
  'running',
  'rebooting',
  'shutting down',
  'resetting',
  'upgrading',
]

/** The machine, its boot, and its config. */
export const machineResources: readonly ResourceKind[] = [
  {
    type: 'MachineStatuses.runtime.talos.dev',
    namespace: 'runtime',
    list: ({ stage, isReady, unmet }) => {
      const status = proto({ 1: isReady, 2: unmet.map(({ name, reason }) => proto({ 1: name, 2: reason })) })
      const spec = { stage, status: { ready: isReady, unmetConditions: unmet } }
      return [{ id: 'machine', spec, proto: proto({ 1: stages.indexOf(stage) + 1, 2: status }) }]
    },
  },
  {
    type: 'MachineConfigs.config.talos.dev',
    namespace: 'config',
    isSensitive: true,
    list: ({ config, system }) => [
      ...configItem('v1alpha1', config?.text),
      ...configItem('persistent', system?.state?.config),
    ],
  },
  {
    type: 'MetaKeys.runtime.talos.dev',
    namespace: 'runtime',
    list: ({ system }) =>
      Object.entries(system?.meta ?? {}).map(([key, base64]) => {
        const value = Buffer.from(base64, 'base64').toString()
        return { id: `0x${Number(key).toString(16).padStart(2, '0')}`, spec: { value }, proto: proto({ 1: value }) }
      }),
  },
  {
    type: 'MachineTypes.config.talos.dev',
    namespace: 'config',
    list: ({ facts }) => {
      if (facts === undefined) return []
      return [{ id: 'machine-type', spec: facts.role, proto: proto({ 1: facts.role === 'controlplane' ? 2 : 3 }) }]
    },
  },
  {
    type: 'SystemInformations.hardware.talos.dev',
    namespace: 'hardware',
    list: ({ hardware }) => {
      const { uuid, serial = '' } = hardware
      const product = 'Standard PC (Q35 + ICH9, 2009)'
      const spec = {
        manufacturer: 'QEMU',
        productname: product,
        version: 'pc-q35',
        serialnumber: serial,
        uuid,
        skuNumber: '',
        wakeUpType: 'Power Switch',
      }
      return [
        {
          id: 'systeminformation',
          spec,
          proto: proto({ 1: 'QEMU', 2: product, 3: 'pc-q35', 4: serial, 5: uuid, 6: 'Power Switch' }),
        },
      ]
    },
  },
  {
    type: 'ExtensionStatuses.runtime.talos.dev',
    namespace: 'runtime',
    list: extensionItems,
  },
  {
    type: 'PlatformMetadatas.talos.dev',
    namespace: 'runtime',
    list: ({ asset, seed }) => {
      const spec = { platform: asset?.platform ?? '', hostname: seed?.hostname ?? '' }
      return [{ id: 'platformmetadata', spec, proto: proto({ 1: spec.platform, 2: spec.hostname }) }]
    },
  },
  {
    type: 'SecurityStates.talos.dev',
    namespace: 'runtime',
    list: ({ asset, system }) => {
      const isUki = asset?.secureBoot === true
      const isSecure = isUki && (system === undefined || system.hasKeys === true)
      return [
        {
          id: 'securitystate',
          spec: { secureBoot: isSecure, bootedWithUKI: isUki },
          proto: proto({ 1: isSecure, 5: isUki }),
        },
      ]
    },
  },
  {
    type: 'Versions.runtime.talos.dev',
    namespace: 'runtime',
    list: ({ asset }) => {
      const version = asset?.talos ?? ''
      return [{ id: 'version', spec: { version, name: 'Talos' }, proto: proto({ 1: version, 2: 'Talos' }) }]
    },
  },
  {
    type: 'BootIDs.runtime.talos.dev',
    namespace: 'runtime',
    since: 14,
    list: ({ bootId }) => [{ id: 'boot-id', spec: { bootId }, proto: proto({ 1: bootId }) }],
  },
  {
    type: 'ImageFactorySchematics.runtime.talos.dev',
    namespace: 'runtime',
    since: 14,
    list: ({ asset }) => {
      if (asset === undefined) return []
      const spec = { schematicID: asset.schematic, flavor: '', apiURL: 'https://factory.talos.dev' }
      return [{ id: 'image-factory-schematic', spec, proto: proto({ 1: asset.schematic, 3: spec.apiURL }) }]
    },
  },
  {
    type: 'UnattendedInstallStatuses.runtime.talos.dev',
    namespace: 'runtime',
    since: 14,
    list: ({ config, system }) => {
      if (config === undefined || findDocument(config, 'UnattendedInstallConfig') === undefined) return []
      const isDone = system !== undefined
      return [
        {
          id: 'unattended-install',
          spec: { phase: isDone ? 'installed' : 'installing' },
          proto: proto({ 2: isDone ? 2 : 1 }),
        },
      ]
    },
  },
  { type: 'Diagnostics.runtime.talos.dev', namespace: 'runtime', list: () => [] },
  {
    type: 'Services.v1alpha1.talos.dev',
    namespace: 'runtime',
    list: ({ services }) =>
      services.list().map(({ id, state, healthy }) => {
        const spec = { running: state === 'Running', healthy: healthy === true, unknown: healthy === undefined }
        return { id, spec, proto: proto({ 1: spec.running, 2: spec.healthy, 3: spec.unknown }) }
      }),
  },
  {
    type: 'TimeStatuses.v1alpha1.talos.dev',
    namespace: 'runtime',
    list: (machine) => {
      const synced = isTimeSynced(machine)
      const syncDisabled = machine.networkFacts?.isTimeSyncDisabled === true
      const fields = proto({ 1: synced, 2: 1, 3: syncDisabled })
      return [{ id: 'node', spec: { synced, epoch: 1, syncDisabled }, proto: fields }]
    },
  },
]

function configItem(id: string, text: string | undefined): ResourceItem[] {
  if (text === undefined) return []
  const annotations = { 'talos.dev/yaml-spec': '1' }
  return [{ id, spec: text, proto: proto({ 1: Buffer.from(text) }), annotations }]
}

/** The extensions in order, and last the schematic, which is listed as one. */
function extensionItems({ asset }: TalosMachine): ResourceItem[] {
  if (asset === undefined) return []
  const names = asset.extensions.map((name) => ({
    name: name.split('/').at(-1) ?? name,
    version: asset.talos,
    description: name,
  }))
  const schematic = {
    name: 'schematic',
    version: asset.schematic,
    description: 'Virtual extension which specifies the schematic of the image built with Image Factory.',
  }
  return [...names, schematic].map(({ name, version, description }, index) => {
    const metadata = {
      name,
      version,
      author: 'Talos Linux',
      description,
      compatibility: { talos: { version: '>= v1.0.0' } },
    }
    return {
      id: String(index),
      spec: { image: `00${index}.${name}.sqsh`, metadata },
      proto: proto({
        1: `00${index}.${name}.sqsh`,
        2: proto({ 1: name, 2: version, 3: 'Talos Linux', 4: description }),
      }),
    }
  })
}

/** A spec as YAML: a config is one string, everything else its own keys. */
export function yamlOf(spec: unknown): string {
  return typeof spec === 'string' && spec.includes('\n') ? blockOf(spec) : stringify(spec)
}

/** Multi-line text as a literal block, indented like Go's libraries do. */
function blockOf(text: string): string {
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const indicator = text.startsWith(' ') ? '4' : ''
  const lines = text.replace(/\n$/, '').split('\n')
  return `|${indicator}${chomping}\n${lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}\n`
}
