import type { KeyShape } from './key-shape.js'

/** Type errors of values, with the decoder's messages. `null` is always valid: it is the zero value. */
export function typeProblems(value: unknown, shape: KeyShape): string[] {
  if (value === null || value === undefined || shape.kind === 'any') return []
  if (shape.kind === 'scalar') return scalarProblems(value, shape.type)
  if (shape.kind === 'list') {
    if (!Array.isArray(value)) return [cannot(value, 'a list')]
    return value.flatMap((item) => typeProblems(item, shape.item))
  }
  if (typeof value !== 'object' || Array.isArray(value)) return [cannot(value, 'a mapping')]
  return Object.entries(value).flatMap(([name, item]) => {
    const known = shape.kind === 'mapping' ? shape.keys.get(name) : shape.item
    return known === undefined ? [] : typeProblems(item, known)
  })
}

/** The value as the decoder stores it: a scalar in place of a text becomes one. */
export function decoded(value: unknown, shape: KeyShape): unknown {
  if (value === null || value === undefined || shape.kind === 'any') return value
  if (shape.kind === 'scalar') return isKeptAsText(shape.type) && typeof value !== 'object' ? String(value) : value
  if (Array.isArray(value)) return shape.kind === 'list' ? value.map((item) => decoded(item, shape.item)) : value
  if (typeof value !== 'object' || shape.kind === 'list') return value
  const entries = Object.entries(value).map(([name, item]) => {
    const known = shape.kind === 'mapping' ? shape.keys.get(name) : shape.item
    return [name, known === undefined ? item : decoded(item, known)]
  })
  return Object.fromEntries(entries)
}

function isKeptAsText(type: string): boolean {
  return ['text', 'base64', 'url', 'args', 'disk-size'].includes(type)
}

function scalarProblems(value: unknown, type: string): string[] {
  if (type === 'args' && Array.isArray(value)) return value.flatMap((item) => scalarProblems(item, 'text'))
  if (typeof value === 'object') return value === null ? [] : [cannot(value, type)]
  const bits = /^(?:uint|int)(\d*)$/.exec(type)
  const fits = bits === null ? fitsNamed(value, type) : fitsNumber(value, type.startsWith('u'), Number(bits[1] || 63))
  return fits ? [] : [cannot(value, type)]
}

/** Scalars are texts for the decoder, whatever they look like. */
function fitsNamed(value: unknown, type: string): boolean {
  if (type === 'flag') return typeof value === 'boolean' || oldFlags.includes(String(value).toLowerCase())
  if (type === 'duration') return typeof value === 'string' && isDuration(value)
  if (type === 'base64') return isBase64(String(value))
  if (type === 'url') return isUrl(String(value))
  return type !== 'disk-size' || isDiskSize(String(value))
}

/** Booleans in YAML 1.1. */
const oldFlags = ['y', 'yes', 'on', 'n', 'no', 'off']

function fitsNumber(value: unknown, isUnsigned: boolean, bits: number): boolean {
  if (typeof value !== 'number') return false
  return isUnsigned ? value >= 0 && value < 2 ** bits : Math.abs(value) <= 2 ** bits
}

function isDuration(text: string): boolean {
  return text === '0' || /^[-+]?((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(text)
}

function isBase64(text: string): boolean {
  const plain = text.replace(/[\r\n]/g, '')
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)
}

/** Go's parser refuses little: bad escapes, control characters, a colon before the first slash, spaces in the host. */
function isUrl(text: string): boolean {
  if (/%(?![0-9a-fA-F]{2})/.test(text) || [...text].some((letter) => letter < ' ')) return false
  if (/^[^/?#]*:/.test(text) && !/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text)) return false
  const host = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
  return !/\s/.test(host) && /^[^:]*$|^\[[^\]]*\](:\d*)?$|:\d*$/.test(host)
}

function isDiskSize(text: string): boolean {
  return /^\s*(==|>=|<=|>|<)?\s*\d+(\.\d+)?\s*([kmgtpe]i?)?b?\s*$/i.test(text)
}

function cannot(value: unknown, type: string): string {
  const found = Array.isArray(value) ? '!!seq' : typeof value === 'object' ? '!!map' : `\`${String(value)}\``
  return `yaml: unmarshal errors: cannot unmarshal ${found} into ${type}`
}
