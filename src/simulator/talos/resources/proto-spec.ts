import { isIPv4 } from 'node:net'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** Text, number (varint), flag, bytes (also a nested message), or several of one of them. */
export type ProtoValue = string | number | bigint | boolean | Uint8Array | readonly ProtoValue[] | undefined

/** A message by field numbers; empty values are omitted, as in proto3. */
export function proto(fields: Readonly<Record<number, ProtoValue>>): Uint8Array {
  const writer = new BinaryWriter()
  for (const [number, value] of Object.entries(fields)) write(writer, Number(number), value, true)
  return writer.finish()
}

/** `common.NetIP`. */
export function netIp(address: string): Uint8Array {
  return proto({ 1: ipBytes(address) })
}

/** `common.NetIPPrefix`. */
export function netIpPrefix(cidr: string): Uint8Array {
  const [address = '', bits = '32'] = cidr.split('/')
  return proto({ 1: ipBytes(address), 2: Number(bits) })
}

export function macBytes(mac: string): Uint8Array {
  return Buffer.from(mac.replaceAll(':', ''), 'hex')
}

/** `google.protobuf.Struct` of texts, flags and numbers, lists and mappings. */
export function struct(value: Readonly<Record<string, unknown>>): Uint8Array {
  return proto({ 1: Object.entries(value).map(([key, item]) => proto({ 1: key, 2: structValue(item) })) })
}

function structValue(value: unknown): Uint8Array {
  if (typeof value === 'string') return new BinaryWriter().tag(3, WireType.LengthDelimited).string(value).finish()
  if (typeof value === 'number') return new BinaryWriter().tag(2, WireType.Bit64).double(value).finish()
  if (typeof value === 'boolean') return new BinaryWriter().tag(4, WireType.Varint).bool(value).finish()
  if (Array.isArray(value)) return nested(6, proto({ 1: value.map(structValue) }))
  if (typeof value === 'object' && value !== null) return nested(5, struct(value as Record<string, unknown>))
  return new BinaryWriter().tag(1, WireType.Varint).int32(0).finish()
}

function nested(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish()
}

function write(writer: BinaryWriter, number: number, value: ProtoValue, mayOmit: boolean): void {
  if (value === undefined) return
  if (typeof value === 'string') {
    if (value !== '' || !mayOmit) writer.tag(number, WireType.LengthDelimited).string(value)
  } else if (typeof value === 'boolean') {
    if (value || !mayOmit) writer.tag(number, WireType.Varint).bool(value)
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    if (BigInt(value) !== 0n || !mayOmit) writer.tag(number, WireType.Varint).uint64(BigInt(value))
  } else if (value instanceof Uint8Array) {
    writer.tag(number, WireType.LengthDelimited).bytes(value)
  } else {
    for (const item of value) write(writer, number, item, false)
  }
}

function ipBytes(address: string): Uint8Array {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = Array<string>(8 - left.length - right.length).fill('0')
  return Buffer.from([...left, ...middle, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
