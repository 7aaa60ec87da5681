import { isMap, parseDocument } from 'yaml'
import { FileError } from '../../errors.js'

/** A way in: where the Talos API answers, and a client certificate for it. */
export interface WayIn {
  readonly endpoints: readonly string[]
  readonly credentials: { readonly ca: string; readonly crt: string; readonly key: string }
}

/** Larger files are no talosconfig. */
const longestFile = 1024 * 1024

/** The chosen context of a talosconfig, or its current one. Never repeats a value of the file. */
export function readTalosconfig(text: string, where: string, context?: string): WayIn {
  if (text.length > longestFile) throw unreadable('it is larger than 1 MiB', where)
  const document = parseDocument(text, { schema: 'failsafe', logLevel: 'error' })
  if (document.errors.length > 0) throw unreadable('it is not YAML', where)
  const name = context ?? textAt(document.get('context'))
  const found = name === undefined ? undefined : document.getIn(['contexts', name])
  if (!isMap(found)) {
    throw unreadable(context === undefined ? 'it names no current context' : 'it has no such context', where)
  }
  const pem = (key: string) => Buffer.from(textAt(found.get(key)) ?? '', 'base64').toString()
  const credentials = { ca: pem('ca'), crt: pem('crt'), key: pem('key') }
  const missing = Object.entries(credentials).filter(([, value]) => !value.includes('-----BEGIN '))
  if (missing.length > 0) throw unreadable(`its context lacks ${missing.map(([key]) => key).join(', ')}`, where)
  const listed = (key: string) => listAt(found.toJSON(), key)
  const endpoints = [...new Set([...listed('endpoints'), ...listed('nodes')])]
  if (endpoints.length === 0) throw unreadable('its context has no endpoints', where)
  return { endpoints, credentials }
}

function listAt(value: unknown, key: string): string[] {
  const found = typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key) : []
  const list = found?.[1]
  return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === 'string') : []
}

function textAt(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function unreadable(what: string, where: string): FileError {
  return new FileError(`This talosconfig cannot be used: ${what}.`, {
    where,
    fix: 'Give one with os:admin for this cluster, as `talosctl config info` shows it; --context chooses one of several.',
  })
}
