import { requirePrivileges } from '../access/gate.js'
import type { Identity, Permissions } from '../access/permissions.js'
import type { Datacenter } from '../datacenter.js'
import type { Parameters } from '../schema/verify.js'

/** One verified request for a handler. */
export interface Call {
  readonly datacenter: Datacenter
  readonly permissions: Permissions
  readonly identity: Identity
  readonly parameters: Parameters
  /** The host in the path; otherwise the one that received the call. */
  readonly host: string
  /** The host that received the call. */
  readonly entry: string
  /** The uploaded file, if any. */
  readonly upload?: { readonly filename: string; readonly bytes: Uint8Array }
  /** A fault: the change of a VM's options stops after that many of them, or after a number from the lab's seed. */
  readonly failConfig?: { readonly message: string; readonly after?: number }
  /** Keys besides `data` in the response. */
  readonly extra: Record<string, unknown>
}

export type Handler = (call: Call) => unknown

/** Handlers by `METHOD /path/with/{names}`. */
export type Routes = Readonly<Record<string, Handler>>

/** A verified parameter. */
export function text({ parameters }: Call, name: string): string {
  const value = parameters[name]
  return typeof value === 'string' ? value : (value ?? []).join(',')
}

export function find({ parameters }: Call, name: string): string | undefined {
  const value = parameters[name]
  return value === undefined || typeof value === 'string' ? value : value.join(',')
}

export function number(call: Call, name: string): number {
  return Number(text(call, name))
}

export function flag({ parameters }: Call, name: string): boolean {
  return parameters[name] === '1'
}

export function vmidOf(call: Call): number {
  return number(call, 'vmid')
}

/** Refuses with 403 unless the caller holds the privileges. */
export function must(call: Call, path: string, privileges: readonly string[], any = false): void {
  requirePrivileges(call.permissions, call.identity, path, privileges, any)
}

export function may(call: Call, path: string, privileges: readonly string[], any = false): boolean {
  return call.permissions.has(call.identity, path, privileges, any)
}
