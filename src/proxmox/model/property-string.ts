/**
 * `virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1`: options in a string. Order, unknown keys and spelling are kept,
 * so that a value can be written back unchanged.
 */
export class PropertyString {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[] = []) {
    this.#parts = parts
  }

  /** The part without a key: the volume of a disk, the model of a network card. */
  get head(): string | undefined {
    return this.#parts.find(({ key }) => key === undefined)?.value
  }

  get(key: string): string | undefined {
    return this.#parts.find((part) => part.key === key)?.value
  }

  keys(): string[] {
    return this.#parts.flatMap(({ key }) => (key === undefined ? [] : [key]))
  }

  /** Replaced in place, or appended if it is new; `undefined` removes it. */
  with(key: string, value: string | number | boolean | undefined): PropertyString {
    return this.#put(key, value === undefined ? undefined : written(value))
  }

  withHead(value: string): PropertyString {
    const rest = this.#parts.filter(({ key }) => key !== undefined)
    return new PropertyString([{ key: undefined, value }, ...rest])
  }

  /** The same set of options, in any order. */
  equals(other: PropertyString): boolean {
    return this.#sorted() === other.#sorted()
  }

  toString(): string {
    return this.#parts.map(({ key, value }) => (key === undefined ? value : `${key}=${value}`)).join(',')
  }

  #put(key: string, value: string | undefined): PropertyString {
    const known = this.#parts.some((part) => part.key === key)
    if (value === undefined) return new PropertyString(this.#parts.filter((part) => part.key !== key))
    if (!known) return new PropertyString([...this.#parts, { key, value }])
    return new PropertyString(this.#parts.map((part) => (part.key === key ? { key, value } : part)))
  }

  #sorted(): string {
    return JSON.stringify(this.#parts.map(({ key, value }) => `${key ?? ''}=${value}`).sort())
  }
}

interface Part {
  readonly key: string | undefined
  readonly value: string
}

/** Splits on commas; a part without `=` is the head. Proxmox has no quoting. */
export function parsePropertyString(text: string): PropertyString {
  const parts = text.split(',').filter((part) => part !== '')
  return new PropertyString(parts.map(parsePart))
}

/** Proxmox accepts several spellings of a flag. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(1|on|yes|true)$/i.test(value)
}

function parsePart(part: string): Part {
  const at = part.indexOf('=')
  return at < 0 ? { key: undefined, value: part } : { key: part.slice(0, at), value: part.slice(at + 1) }
}

function written(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = String(value)
  if (text.includes(',')) throw new TypeError(`An option of Proxmox cannot contain a comma: "${text}".`)
  return text
}
