import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf'

/** Numbers one after the other out of a few bytes; zeros when they are used up. */
export function bytesAsChoices(bytes: Uint8Array): () => number {
  let at = 0
  return () => bytes[at++] ?? 0
}

/** Any message of that kind, as the bytes decide. */
export function randomMessage(desc: DescMessage, next: () => number, texts: readonly string[], depth = 0): Message {
  const init: Record<string, unknown> = {}
  for (const field of desc.fields) {
    if (depth > 4 || next() % 4 === 0) continue
    const value = valueFor(field, next, texts, depth)
    if (value === undefined) continue
    if (field.oneof === undefined) init[field.localName] = value
    else init[field.oneof.localName] = { case: field.localName, value }
  }
  return create(desc, init)
}

function valueFor(field: DescField, next: () => number, texts: readonly string[], depth: number): unknown {
  const message = (desc: DescMessage) => randomMessage(desc, next, texts, depth + 1)
  switch (field.fieldKind) {
    case 'scalar':
      return scalar(field.scalar, next, texts)
    case 'enum':
      return next() % 12
    case 'message':
      return message(field.message)
    case 'list':
      return Array.from({ length: next() % 3 }, () => {
        if (field.listKind === 'message') return message(field.message)
        return field.listKind === 'enum' ? next() % 12 : scalar(field.scalar, next, texts)
      })
    case 'map':
      return undefined
  }
}

function scalar(type: ScalarType, next: () => number, texts: readonly string[]): unknown {
  if (type === ScalarType.STRING) return texts[next() % texts.length]
  if (type === ScalarType.BOOL) return next() % 2 === 1
  if (type === ScalarType.BYTES) return Uint8Array.from({ length: next() % 40 }, next)
  const isLong = /64/.test(ScalarType[type])
  return isLong ? BigInt(next()) << BigInt(next() % 56) : next()
}
