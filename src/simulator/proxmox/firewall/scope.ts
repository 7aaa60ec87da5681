import { createHash } from 'node:crypto'
import { died } from '../api-error.js'
import { type Call, find } from '../http/call.js'
import type { FirewallState } from '../state.js'

/** The scope of a path's firewall. */
export type Scope = (call: Call) => string

export const scopes: Record<string, Scope> = {
  '/cluster/firewall': () => 'cluster',
  '/nodes/{node}/firewall': ({ host }) => `node/${host}`,
  '/nodes/{node}/qemu/{vmid}/firewall': ({ parameters }) => `vm/${String(parameters.vmid)}`,
  '/cluster/sdn/vnets/{vnet}/firewall': ({ parameters }) => `vnet/${String(parameters.vnet)}`,
}

/** The firewall of a scope; created on first use. */
export function firewallOf({ datacenter }: Call, scope: string): FirewallState {
  const { firewall } = datacenter.state
  const known = firewall[scope]
  if (known !== undefined) return known
  const fresh: FirewallState = { options: {}, rules: [], aliases: {}, ipsets: {}, groups: {} }
  firewall[scope] = fresh
  return fresh
}

/** SHA-1; of nothing if nothing is set. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(value)
  return createHash('sha1')
    .update(text === '{}' || text === '[]' ? '' : text)
    .digest('hex')
}

export function refuseStale(call: Call, digest: string): void {
  const given = find(call, 'digest')
  if (given !== undefined && given !== digest)
    throw died('detected modified configuration - file changed by other user? Try again.')
}
