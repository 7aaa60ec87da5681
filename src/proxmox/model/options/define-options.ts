import { PropertyString, parsePropertyString } from '../property-string.js'
import type { Codec } from './codec.js'

interface Field<T> {
  /** As Proxmox spells it. */
  readonly key: string
  readonly codec: Codec<T>
  /** May be written first, without its key. */
  readonly isHead?: boolean
}

type Fields = Readonly<Record<string, Field<unknown>>>

/** The typed value of a property string; `rest` holds unknown keys unchanged. */
export type Options<F extends Fields> = {
  readonly [Name in keyof F]?: F[Name] extends Field<infer T> ? T : never
} & { readonly rest?: Readonly<Record<string, string>> }

export interface OptionKind<F extends Fields> {
  parse(text: string): Options<F>
  write(value: Options<F>): string
}

/** One kind of property string: its keys and the types of their values. */
export function defineOptions<const F extends Fields>(fields: F): OptionKind<F> {
  const entries = Object.entries(fields)
  const byKey = new Map(entries.map((entry) => [entry[1].key, entry]))
  const head = entries.find(([, field]) => field.isHead)

  const parse = (source: string): Options<F> => {
    const properties = parsePropertyString(source)
    const values: Record<string, unknown> = {}
    const rest: Record<string, string> = {}
    if (head !== undefined && properties.head !== undefined) values[head[0]] = head[1].codec.read(properties.head)
    for (const key of properties.keys()) {
      const [name, field] = byKey.get(key) ?? []
      const raw = properties.get(key) ?? ''
      const value = field?.codec.read(raw)
      if (name === undefined || value === undefined) rest[key] = raw
      else values[name] = value
    }
    return { ...values, ...(Object.keys(rest).length > 0 ? { rest } : {}) } as Options<F>
  }

  const write = (value: Options<F>): string => {
    const known: Readonly<Record<string, unknown>> = value
    let properties = new PropertyString()
    for (const [name, { key, codec, isHead }] of entries) {
      const one = known[name]
      if (one === undefined) continue
      properties = isHead ? properties.withHead(codec.write(one)) : properties.with(key, codec.write(one))
    }
    for (const [key, raw] of Object.entries(value.rest ?? {})) properties = properties.with(key, raw)
    return properties.toString()
  }

  return { parse, write }
}
