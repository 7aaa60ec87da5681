import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire'
import { StatusError } from '../status-error.js'
import { fieldsOf, type MessageField, messageOf } from './protobuf-messages.js'

type Json = Record<string, unknown>

const magicLength = 4

/** The object inside Kubernetes' envelope, as JSON. Typed clients send built-in kinds this way. */
export function parseProtobuf(body: Uint8Array): object {
  const { apiVersion, kind, raw } = readEnvelope(body.subarray(magicLength))
  const message = messageOf(apiVersion, kind)
  if (message === undefined)
    throw new StatusError(
      415,
      'UnsupportedMediaType',
      `the lab does not read ${kind} of ${apiVersion} as protobuf; send JSON or YAML, as kubectl apply does`,
    )
  return { apiVersion, kind, ...readMessage(raw, message) }
}

function readEnvelope(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  const envelope = new Map(fieldsIn(bytes))
  const type = new Map(fieldsIn(envelope.get(1) ?? new Uint8Array()))
  const text = (number: number) => Buffer.from(type.get(number) ?? []).toString()
  return { apiVersion: text(1), kind: text(2), raw: envelope.get(2) ?? new Uint8Array() }
}

/** Numbers and bytes of the length-delimited fields, the last of each number. */
function fieldsIn(bytes: Uint8Array): [number, Uint8Array][] {
  const reader = new BinaryReader(bytes)
  const fields: [number, Uint8Array][] = []
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    if (wireType === 2) fields.push([number, reader.bytes()])
    else reader.skip(wireType)
  }
  return fields
}

function readMessage(bytes: Uint8Array, message: string): Json {
  const fields = fieldsOf(message)
  const reader = new BinaryReader(bytes)
  const result: Json = {}
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    const field = fields?.get(number)
    if (field === undefined) reader.skip(wireType)
    else readField(reader, wireType, field, result)
  }
  return result
}

function readField(reader: BinaryReader, wireType: WireType, field: MessageField, into: Json): void {
  const { key, type, isList, isMap, isPointer } = field
  if (isMap) {
    into[key] = { ...(into[key] as object | undefined), ...readEntry(reader.bytes(), type) }
    return
  }
  const value = readValue(reader, wireType, type)
  if (key === '^') Object.assign(into, value)
  else if (isList) into[key] = [...listAt(into, key), value]
  else if (isPointer || !isEmpty(value)) into[key] = value
}

/** Go writes empty strings, zeros and `false` where JSON omits them. */
function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false
}

function readEntry(bytes: Uint8Array, type: string): Json {
  const reader = new BinaryReader(bytes)
  let key = ''
  let value: unknown = ''
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    if (number === 1) key = reader.string()
    else value = readValue(reader, wireType, type)
  }
  return { [key]: value }
}

const scalars: Readonly<Record<string, (reader: BinaryReader) => unknown>> = {
  text: (reader) => reader.string(),
  number: (reader) => Number(reader.int64()),
  flag: (reader) => reader.bool(),
  bytes: (reader) => Buffer.from(reader.bytes()).toString('base64'),
  time: (reader) => timeOf(reader.bytes()),
  duration: (reader) => `${numberAt(reader.bytes(), 1) / 1e9}s`,
  quantity: (reader) => textAt(reader.bytes(), 1),
  intstr: (reader) => intOrText(reader.bytes()),
  raw: (reader) => JSON.parse(textAt(reader.bytes(), 1) || 'null') as unknown,
}

function readValue(reader: BinaryReader, wireType: WireType, type: string): unknown {
  const scalar = scalars[type]
  if (scalar !== undefined) return scalar(reader)
  if (fieldsOf(type) !== undefined) return readMessage(reader.bytes(), type)
  reader.skip(wireType)
  return undefined
}

/** Empty where Kubernetes writes `null`. */
function timeOf(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return null
  return new Date(numberAt(bytes, 1) * 1000).toISOString().replace('.000Z', 'Z')
}

/** The first field decides which of the other two counts. */
function intOrText(bytes: Uint8Array): number | string {
  return numberAt(bytes, 1) === 1 ? textAt(bytes, 3) : numberAt(bytes, 2)
}

function textAt(bytes: Uint8Array, number: number): string {
  const found = fieldsIn(bytes).find(([at]) => at === number)
  return Buffer.from(found?.[1] ?? []).toString()
}

function numberAt(bytes: Uint8Array, wanted: number): number {
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    if (number === wanted) return Number(reader.int64())
    reader.skip(wireType)
  }
  return 0
}

function listAt(result: Readonly<Json>, key: string): readonly unknown[] {
  const known = result[key]
  return Array.isArray(known) ? known : []
}
