import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire'
import { StatusError } from '../status-error.js'

/**
 * Newer kubectls write some bodies (`kubectl create namespace`, `kubectl certificate approve`) in Kubernetes' own
 * protobuf. The few kinds that they write so are read; any other is refused with its name.
 */
type Field =
  | 'text'
  | 'number'
  | 'flag'
  | 'bytes'
  | 'texts'
  | 'text-map'
  | 'bytes-map'
  | 'time'
  | Shape
  | readonly [Shape]
interface Shape {
  readonly [number: number]: readonly [name: string, field: Field]
}

const metadata: Shape = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  5: ['uid', 'text'],
  6: ['resourceVersion', 'text'],
  7: ['generation', 'number'],
  8: ['creationTimestamp', 'time'],
  11: ['labels', 'text-map'],
  12: ['annotations', 'text-map'],
  14: ['finalizers', 'texts'],
}

const deleteOptions: Shape = {
  1: ['gracePeriodSeconds', 'number'],
  2: ['preconditions', { 1: ['uid', 'text'], 2: ['resourceVersion', 'text'] }],
  4: ['propagationPolicy', 'text'],
  5: ['dryRun', 'texts'],
}

const csrSpec: Shape = {
  1: ['request', 'bytes'],
  2: ['username', 'text'],
  4: ['groups', 'texts'],
  5: ['usages', 'texts'],
  7: ['signerName', 'text'],
}

const csrCondition: Shape = {
  1: ['type', 'text'],
  2: ['reason', 'text'],
  3: ['message', 'text'],
  4: ['lastUpdateTime', 'time'],
  5: ['lastTransitionTime', 'time'],
  6: ['status', 'text'],
}

const subject: Shape = { 1: ['kind', 'text'], 2: ['apiGroup', 'text'], 3: ['name', 'text'], 4: ['namespace', 'text'] }
const roleRef: Shape = { 1: ['apiGroup', 'text'], 2: ['kind', 'text'], 3: ['name', 'text'] }
const binding: Shape = { 1: ['metadata', metadata], 2: ['subjects', [subject]], 3: ['roleRef', roleRef] }

const kinds: Readonly<Record<string, Shape>> = {
  Namespace: { 1: ['metadata', metadata] },
  ServiceAccount: { 1: ['metadata', metadata] },
  ConfigMap: { 1: ['metadata', metadata], 2: ['data', 'text-map'], 4: ['immutable', 'flag'] },
  Secret: { 1: ['metadata', metadata], 2: ['data', 'bytes-map'], 3: ['type', 'text'], 4: ['stringData', 'text-map'] },
  ClusterRoleBinding: binding,
  RoleBinding: binding,
  CertificateSigningRequest: {
    1: ['metadata', metadata],
    2: ['spec', csrSpec],
    3: ['status', { 1: ['conditions', [csrCondition]], 2: ['certificate', 'bytes'] }],
  },
  DeleteOptions: deleteOptions,
  Eviction: { 1: ['metadata', metadata], 2: ['deleteOptions', deleteOptions] },
}

const envelope: Shape = { 1: ['type', { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] }], 2: ['raw', 'bytes'] }
const magicLength = 4

/** The object inside Kubernetes' envelope, as JSON would have it. */
export function parseProtobuf(body: Uint8Array): object {
  const { type, raw } = readShape(body.subarray(magicLength), envelope) as {
    type?: { apiVersion?: string; kind?: string }
    raw?: string
  }
  const shape = kinds[type?.kind ?? '']
  if (shape === undefined)
    throw new StatusError(
      415,
      'UnsupportedMediaType',
      `the lab does not read ${type?.kind} as protobuf; send JSON or YAML, as kubectl apply does`,
    )
  return { ...type, ...readShape(Buffer.from(raw ?? '', 'base64'), shape) }
}

function readShape(bytes: Uint8Array, shape: Shape): Record<string, unknown> {
  const reader = new BinaryReader(bytes)
  const result: Record<string, unknown> = {}
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    const known = shape[number]
    if (known === undefined) reader.skip(wireType as WireType)
    else readField(reader, known[0], known[1], result)
  }
  return result
}

function readField(reader: BinaryReader, name: string, field: Field, into: Record<string, unknown>): void {
  if (field === 'number') into[name] = Number(reader.int64())
  else if (field === 'flag') into[name] = reader.bool()
  else if (field === 'text') into[name] = reader.string()
  else if (field === 'bytes') into[name] = Buffer.from(reader.bytes()).toString('base64')
  else if (field === 'time') into[name] = timeOf(reader.bytes())
  else if (field === 'texts') into[name] = [...listAt(into, name), reader.string()]
  else if (field === 'text-map' || field === 'bytes-map')
    into[name] = { ...(into[name] as object | undefined), ...entryOf(reader.bytes(), field) }
  else if (isList(field)) into[name] = [...listAt(into, name), readShape(reader.bytes(), field[0])]
  else into[name] = readShape(reader.bytes(), field)
}

function isList(field: Shape | readonly [Shape]): field is readonly [Shape] {
  return Array.isArray(field)
}

function listAt(result: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const known = result[name]
  return Array.isArray(known) ? known : []
}

function entryOf(bytes: Uint8Array, field: 'text-map' | 'bytes-map'): object {
  const { key, value } = readShape(bytes, { 1: ['key', 'text'], 2: ['value', field === 'text-map' ? 'text' : 'bytes'] })
  return { [String(key ?? '')]: value ?? '' }
}

/** Empty where Kubernetes writes `null`. */
function timeOf(bytes: Uint8Array): string | null {
  const { seconds } = readShape(bytes, { 1: ['seconds', 'number'] })
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString().replace('.000Z', 'Z') : null
}
