import { ApiError } from '../api-error.js'

type Fields = Record<string, string | string[] | undefined>

/** Pairs are split at `&` and `;`, and a value ends at a second `=`: real clients run into this. */
export function parseForm(text: string): Fields {
  const fields: Fields = {}
  for (const pair of text.split(/[&;]/)) {
    if (pair === '') continue
    const [name = '', value] = pair.split('=')
    const key = percentDecode(name)
    if (value === undefined) {
      if (!(key in fields)) fields[key] = undefined
      continue
    }
    const before = fields[key]
    if (before === undefined) fields[key] = percentDecode(value)
    else fields[key] = [...(Array.isArray(before) ? before : [before]), percentDecode(value)]
  }
  return fields
}

function percentDecode(text: string): string {
  const bytes: number[] = []
  const spaced = Buffer.from(text.replaceAll('+', ' '), 'utf8').toString('latin1')
  for (let i = 0; i < spaced.length; i++) {
    const hex = /^%([0-9A-Fa-f]{2})/.exec(spaced.slice(i, i + 3))?.[1]
    if (hex === undefined) bytes.push(spaced.charCodeAt(i))
    else {
      bytes.push(Number.parseInt(hex, 16))
      i += 2
    }
  }
  return Buffer.from(bytes).toString('utf8')
}

const where = 'at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line'

/** A JSON body. The Perl parser's errors reach the client as plain text. */
export function parseJson(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const rest = text.trim() === '' ? 0 : text.length
    throw new ApiError(
      500,
      `malformed JSON string, neither tag, array, object, number, string or atom, at character offset ${rest} (before "(end of string)") ${where} 917.\n`,
    )
  }
  if (Array.isArray(value)) throw new ApiError(500, `Not a HASH reference ${where} 957.\n`)
  if (typeof value !== 'object' || value === null)
    throw new ApiError(
      500,
      `Can't use string ("${String(value)}") as a HASH ref while "strict refs" in use ${where} 957.\n`,
    )
  return value as Record<string, unknown>
}
