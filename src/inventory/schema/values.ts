import { z } from 'zod'
import { parseAddress, parseNetwork } from '../../cluster/address.js'
import { GiB, MiB } from '../../cluster/machine.js'
import { parseVersion } from '../../cluster/version.js'
import { parseSecretRef } from '../secret-ref.js'

/** Text of one kind: its description and example appear in errors, the JSON Schema and the reference page. */
export function textOf(what: string, example: string, accepts: (text: string) => boolean) {
  return z
    .string()
    .refine(accepts, { error: `is not ${what}`, params: { fix: `Write ${what}, such as ${example}.` } })
    .meta({ examples: [example] })
}

const labelText = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/
const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

export const clusterName = textOf(
  'a DNS label of at most 40 characters',
  'dev',
  (text) => label.test(text) && text.length <= 40,
)
export const machineName = textOf(
  'a DNS label of at most 63 characters',
  'dev-cp-1',
  (text) => label.test(text) && text.length <= 63,
)
export const poolName = textOf(
  'a DNS label of at most 30 characters',
  'gpu',
  (text) => label.test(text) && text.length <= 30,
)
export const hostName = textOf(
  'the name of a Proxmox host',
  'pve1',
  (text) => /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/.test(text) && text.length <= 63,
)
export const storageName = textOf('the name of a Proxmox storage', 'local-lvm', (text) =>
  /^[A-Za-z][A-Za-z0-9\-_.]*[A-Za-z0-9]$/.test(text),
)
export const bridgeName = textOf('the name of a bridge', 'vmbr0', (text) => /^[A-Za-z][A-Za-z0-9_.-]{0,14}$/.test(text))
export const address = textOf('an IP address', '10.0.10.11', (text) => parseAddress(text) !== undefined)
export const network = textOf(
  'a network with its prefix length',
  '10.0.10.0/24',
  (text) => parseNetwork(text) !== undefined,
)
/** An unquoted 1.11 in YAML is a number: it is as incomplete as its text. */
export const version = z
  .union([z.string(), z.number()])
  .refine((value) => parseVersion(String(value)) !== undefined, {
    error: 'is not a full version',
    params: { fix: 'Write all three numbers, such as v1.13.9.' },
  })
  .meta({ examples: ['v1.13.9'] })
  .transform((value) => (String(value).startsWith('v') ? String(value) : `v${value}`))
export const contract = textOf('a minor version', 'v1.13', (text) => /^v?1\.\d+$/.test(text)).transform((text) =>
  text.startsWith('v') ? text : `v${text}`,
)
export const mac = textOf('a MAC address', '02:CA:F5:11:7F:D0', (text) =>
  /^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$/.test(text),
).transform((text) => text.toUpperCase())
export const uuid = textOf('a UUID', 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a', (text) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
).transform((text) => text.toLowerCase())
export const schematicId = textOf('a schematic id', '64 hex digits', (text) => /^[0-9a-f]{64}$/.test(text))
/** The API server refuses any other issuer of an identity provider. */
export const oidcIssuer = textOf(
  'an https address without credentials, query or fragment',
  'https://login.example.com',
  (text) => isUrl(text, ['https:']) && !/[?#]/.test(text) && new URL(text).username === '',
)

/** Without a prefix, or with this one, a user of the identity provider could claim to be system:masters. */
export const oidcPrefix = z
  .string()
  .refine((text) => text !== '' && text !== '-' && !text.startsWith('system:'), {
    error: 'would let users of the identity provider claim to be system:masters',
    params: { fix: 'Write a prefix of its own, such as "oidc:".' },
  })
  .meta({ examples: ['oidc:'] })

export const httpUrl = textOf('an http or https address', 'https://factory.talos.dev', (text) =>
  isUrl(text, ['http:', 'https:']),
)

/** A Proxmox API endpoint; a trailing `/api2/json` is removed, and the default port is 8006. */
export const proxmoxEndpoint = textOf('the https address of a Proxmox host', 'https://pve1.example.com:8006', (text) =>
  isUrl(withScheme(text), ['https:']),
).transform((text) => {
  const url = new URL(withScheme(text))
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api2(\/json)?$/, '')
  return `https://${url.hostname}:${portOf(text) ?? '8006'}${path}`
})

export const startupOrder = textOf('a startup order', 'order=2,up=30', (text) =>
  /^(order=)?\d+(,(up|down)=\d+)*$/.test(text),
)
export const vmid = z.int().min(100).max(999_999_999)
export const vlanId = z.int().min(1).max(4094)
export const mtu = z.int().min(576).max(65_520)
export const port = z.int().min(1).max(65_535)
export const cpuCount = z.int().min(1).max(512)
export const count = z.int().min(0).max(100_000)

/** A secret, by reference. */
export const secret = z
  .string()
  .min(1)
  .transform(parseSecretRef)
  .meta({ examples: ['env:NAME', 'file:PATH', 'secret:NAME'] })

const units: Readonly<Record<string, number>> = {
  M: MiB,
  MB: MiB,
  MiB: MiB,
  G: GiB,
  GB: GiB,
  GiB: GiB,
  T: 1024 * GiB,
  TB: 1024 * GiB,
  TiB: 1024 * GiB,
}

/** Memory in bytes; a number without a unit is MiB. */
export const memorySize = sizeIn(MiB, 'a size such as 8192 (MiB), 8G or 8GiB', '8GiB')
/** Disk space in bytes; a number without a unit is GiB. */
export const diskSize = sizeIn(GiB, 'a size such as 40 (GiB), 40G or 40GiB', '40G')

function sizeIn(bareUnit: number, what: string, example: string) {
  return z
    .union([z.number(), z.string()])
    .refine((size) => sizeOf(size, bareUnit) !== undefined, {
      error: `is not ${what}`,
      params: { fix: `Write ${what}.` },
    })
    .meta({ examples: [example] })
    .transform((size) => sizeOf(size, bareUnit) ?? 0)
}

function sizeOf(size: number | string, bareUnit: number): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(String(size))
  const unit = match?.[2] === '' ? bareUnit : units[match?.[2] ?? '']
  const bytes = match === null || unit === undefined ? 0 : Number(match[1]) * unit
  return bytes >= MiB && bytes <= Number.MAX_SAFE_INTEGER && bytes % MiB === 0 ? bytes : undefined
}

/** `2000-2999`, or only a start, which means a hundred VMIDs from there; as a number or as text. */
export const vmidRange = rangeWith(100, 'is not a range of VMIDs such as 2000-2999, or its start')
/** `900-997`, or a single VMID. */
export const vmidOrRange = rangeWith(1, 'is not a VMID or a range of VMIDs such as 900-997')

function rangeWith(bareCount: number, error: string) {
  return z
    .union([z.int(), z.string()])
    .refine((range) => rangeOf(range, bareCount) !== undefined, {
      error,
      params: { fix: 'Write first and last VMID, such as 2000-2999, between 100 and 999999999.' },
    })
    .meta({ examples: ['2000-2999', 401] })
    .transform((range) => rangeOf(range, bareCount) ?? { from: 0, to: 0 })
}

function rangeOf(range: number | string, bareCount: number): { from: number; to: number } | undefined {
  const match = /^(\d+)(?:-(\d+))?$/.exec(String(range))
  if (match === null) return undefined
  const from = Number(match[1])
  const to = match[2] === undefined ? from + bareCount - 1 : Number(match[2])
  return from >= 100 && to >= from && to <= 999_999_999 ? { from, to } : undefined
}

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration in milliseconds, such as `90s`, `10m` or `1h30m`. */
export const duration = z
  .string()
  .refine((text) => durationOf(text) !== undefined, {
    error: 'is not a duration such as 90s, 10m or 1h30m',
    params: { fix: 'Write a number and a unit: s, m, h or d.' },
  })
  .meta({ examples: ['10m'] })
  .transform((text) => durationOf(text) ?? 0)

function durationOf(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)]
  const total = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (durationUnits[unit] ?? 0), 0)
  return total > 0 && total <= Number.MAX_SAFE_INTEGER ? total : undefined
}

const cronLimits = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

/** Five fields of numbers, ranges, steps and lists. */
export const cron = textOf('a cron schedule', '0 */6 * * *', (text) => {
  const fields = text.trim().split(/\s+/)
  return fields.length === 5 && fields.every((field, index) => isCronField(field, cronLimits[index] ?? [0, 0]))
})

function isCronField(field: string, [least, most]: readonly [number, number]): boolean {
  return field.split(',').every((part) => {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    const bounds = [match?.[1], match?.[2]].flatMap((bound) => (bound === undefined ? [] : [Number(bound)]))
    const [from = least, to = from] = bounds
    return match !== null && from <= to && match[3] !== '0' && bounds.every((bound) => bound >= least && bound <= most)
  })
}

/** An IANA time zone. */
export const timeZone = textOf('an IANA time zone', 'Europe/Berlin', (text) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
})

/** Values of labels and the like: an unquoted `true` or `1` in YAML means its text. */
export const scalarText = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** A Kubernetes label key: a name with an optional DNS prefix. */
export const labelKey = textOf('the key of a label', 'example.com/tier', (text) => {
  const [name = '', prefix, ...rest] = text.split('/').reverse()
  const isPrefixed = prefix === undefined || (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(prefix) && prefix.length <= 253)
  return rest.length === 0 && isPrefixed && labelText.test(name) && name.length <= 63
})

export const labelValue = scalarText.refine((text) => text === '' || (labelText.test(text) && text.length <= 63), {
  error: 'is not the value of a label',
  params: { fix: 'Write letters, digits, dashes, underscores and dots, 63 at most.' },
})

export const taint = z
  .string()
  .refine((text) => taintOf(text) !== undefined, {
    error: 'is not a taint such as dedicated=gpu:NoSchedule',
    params: { fix: 'Write key=value:Effect, with NoSchedule, PreferNoSchedule or NoExecute.' },
  })
  .meta({ examples: ['dedicated=gpu:NoSchedule'] })
  .transform((text) => taintOf(text) ?? { key: text, effect: 'NoSchedule' as const })

function taintOf(text: string) {
  const match = /^([A-Za-z0-9._/-]+)(?:=([A-Za-z0-9._-]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text)
  if (match === null) return undefined
  const [, key = '', value, effect] = match
  return {
    key,
    ...(value === undefined ? {} : { value }),
    effect: effect as 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute',
  }
}

/** One value or a list of values; always a list afterwards. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z
    .union([item, z.array(item)])
    .transform((value) => (Array.isArray(value) ? value : [value]) as z.output<Item>[])
}

function withScheme(text: string): string {
  return /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
}

function portOf(text: string): string | undefined {
  return /^(?:https:\/\/)?(?:\[[^\]]+\]|[^/:]+):(\d+)/i.exec(text)?.[1]
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}
