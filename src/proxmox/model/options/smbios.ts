import { parsePropertyString } from '../property-string.js'

const texts = ['serial', 'manufacturer', 'product', 'version', 'sku', 'family'] as const
type TextKey = (typeof texts)[number]

/** `smbios1` with decoded texts. Setting it replaces everything, so existing values must be written again. */
export type Smbios = { readonly uuid?: string } & { readonly [Key in TextKey]?: string } & {
  readonly rest?: Readonly<Record<string, string>>
}

export function parseSmbios(source: string): Smbios {
  const properties = parsePropertyString(source)
  const isEncoded = properties.get('base64') === '1'
  const decode = (value: string) => (isEncoded ? Buffer.from(value, 'base64').toString('utf8') : value)
  const known: Record<string, string> = {}
  const rest: Record<string, string> = {}
  for (const key of properties.keys()) {
    const value = properties.get(key) ?? ''
    if (key === 'uuid') known.uuid = value
    else if (texts.some((name) => name === key)) known[key] = decode(value)
    else if (key !== 'base64') rest[key] = value
  }
  return { ...known, ...(Object.keys(rest).length > 0 ? { rest } : {}) }
}

/** Texts are encoded: Proxmox refuses most punctuation otherwise. */
export function writeSmbios(value: Smbios): string {
  const encoded = texts.flatMap((key) => {
    const text = value[key]
    return text === undefined ? [] : [`${key}=${Buffer.from(text, 'utf8').toString('base64')}`]
  })
  const uuid = value.uuid === undefined ? [] : [`uuid=${value.uuid}`]
  const flag = encoded.length > 0 ? ['base64=1'] : []
  const rest = Object.entries(value.rest ?? {}).map(([key, text]) => `${key}=${text}`)
  return [...uuid, ...flag, ...encoded, ...rest].join(',')
}
