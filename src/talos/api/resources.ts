import { timestampMs } from '@bufbuild/protobuf/wkt'
import { parse } from 'yaml'
import type { Resource } from '../../wire/cosi/resource/resource_pb.js'
import type { Channel } from './channel.js'
import type { CosiResource, MachineStatus, ResourceCalls } from './port.js'
import { answered, TalosError } from './talos-error.js'

/** Talos lists the schematic and the modules that it loads as extensions, too. */
const notExtensions = new Set(['', 'schematic', 'modules.dep'])

/** COSI, read-only: specs are YAML, so no per-type definitions are needed. */
export function resourceCalls(channel: Channel): ResourceCalls {
  const get = async (type: string, namespace: string, id: string, signal: AbortSignal) => {
    const { resource } = await channel.call(`get ${type}`, 'quick', signal, (call) =>
      channel.state.get({ namespace, type, id }, call),
    )
    if (resource === undefined) throw answered('NotFound', id, channel.target, `get ${type}`)
    return resource
  }
  const specOf = async (type: string, namespace: string, id: string, signal: AbortSignal) =>
    resourceFrom(await get(type, namespace, id, signal), channel, `get ${type}`).spec

  const list = async (type: string, namespace: string, signal: AbortSignal) => {
    const found: CosiResource[] = []
    const answers = channel.stream(`list ${type}`, 'sending', signal, (call) =>
      channel.state.list({ namespace, type }, call),
    )
    for await (const { resource } of answers)
      if (resource !== undefined) found.push(resourceFrom(resource, channel, `list ${type}`))
    return found
  }

  const systemInformation = (signal: AbortSignal) =>
    specOf('SystemInformations.hardware.talos.dev', 'hardware', 'systeminformation', signal)

  const config = async (id: string, signal: AbortSignal) => {
    const { spec } = await get('MachineConfigs.config.talos.dev', 'config', id, signal)
    const text = parseSpec(spec?.yamlSpec ?? '', channel, 'get MachineConfigs.config.talos.dev')
    return typeof text === 'string' ? text : (spec?.yamlSpec ?? '')
  }

  return {
    find: (type, namespace, id, signal) =>
      get(type, namespace, id, signal).then((found) => resourceFrom(found, channel, `get ${type}`), noneIfNotFound),
    list,
    async machineStatus(signal) {
      return statusFrom(await specOf('MachineStatuses.runtime.talos.dev', 'runtime', 'machine', signal))
    },
    machineConfig: (signal) => config('v1alpha1', signal),
    persistedConfig: (signal) =>
      config('persistent', signal).catch((thrown: unknown) => {
        noneIfNotFound(thrown)
        return config('v1alpha1', signal)
      }),
    async image(signal) {
      const found = await list('ExtensionStatuses.runtime.talos.dev', 'runtime', signal)
      const all = found.map(({ spec }) => fieldsOf(fieldsOf(spec).metadata))
      const schematic = all.find(({ name }) => name === 'schematic')?.version
      return {
        ...(typeof schematic === 'string' ? { schematic } : {}),
        extensions: all
          .flatMap(({ name }) => (typeof name === 'string' && !notExtensions.has(name) ? [name] : []))
          .sort(),
      }
    },
    systemUuid: async (signal) => uuidFrom(await systemInformation(signal)),
    async systemIdentity(signal) {
      const spec = await systemInformation(signal)
      return { uuid: uuidFrom(spec), serial: serialFrom(spec) }
    },
    async nodeAddresses(signal) {
      const { addresses } = fieldsOf(await specOf('NodeAddresses.net.talos.dev', 'network', 'routed', signal))
      return Array.isArray(addresses) ? addresses.map((address) => String(address).split('/')[0] ?? '') : []
    },
  }
}

function resourceFrom({ metadata, spec }: Resource, channel: Channel, call: string): CosiResource {
  return {
    id: metadata?.id ?? '',
    version: metadata?.version ?? '',
    ...(metadata?.updated === undefined ? {} : { updatedAt: timestampMs(metadata.updated) }),
    spec: spec === undefined || spec.yamlSpec === '' ? undefined : parseSpec(spec.yamlSpec, channel, call),
  }
}

function parseSpec(text: string, { target }: Channel, call: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    throw answered('Internal', 'the spec is not YAML', target, call, cause)
  }
}

function noneIfNotFound(thrown: unknown): undefined {
  if (thrown instanceof TalosError && thrown.grpcCode === 'NotFound') return undefined
  throw thrown
}

function statusFrom(spec: unknown): MachineStatus {
  const { stage, status } = fieldsOf(spec)
  const { ready, unmetConditions } = fieldsOf(status)
  const unmet = Array.isArray(unmetConditions) ? unmetConditions.map(fieldsOf) : []
  return {
    stage: typeof stage === 'string' ? stage : 'unknown',
    ready: ready === true,
    unmet: unmet.map(({ name, reason }) => ({ name: String(name ?? ''), reason: String(reason ?? '') })),
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** Empty if the VM has none. */
function serialFrom(spec: unknown): string {
  const { serialnumber } = fieldsOf(spec)
  return typeof serialnumber === 'string' ? serialnumber : ''
}

/** Lower case, as identities are stored. */
function uuidFrom(spec: unknown): string {
  return String(fieldsOf(spec).uuid ?? '').toLowerCase()
}
