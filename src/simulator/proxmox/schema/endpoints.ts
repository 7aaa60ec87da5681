import { definitionLines, endpointLines } from './catalogue.js'

/** The rules for one value. `type` is missing for strings; `format` is a name or the keys of a property string. */
export interface Rule {
  readonly type?: 'integer' | 'number' | 'boolean' | 'array' | 'null' | 'object' | 'any'
  readonly optional?: 0 | 1
  readonly minimum?: number | string
  readonly maximum?: number | string
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly enum?: readonly (string | number)[]
  readonly requires?: string
  readonly format?: string | Readonly<Record<string, Rule>>
  readonly items?: Rule
  readonly default_key?: 1
  readonly alias?: string
  readonly keyAlias?: string
  /** The values of `type` for which this parameter exists; missing: always. */
  readonly only?: readonly string[]
}

/** A permission expression of the API: `['perm', '/vms/{vmid}', ['VM.Audit']]`, `['and', …]`, or a group of callers. */
export type Permission = readonly unknown[] | 'all' | 'world' | 'root@pam'

export interface Endpoint {
  readonly pve: 8 | 9
  readonly method: string
  readonly path: string
  readonly segments: readonly string[]
  readonly permission: Permission
  /** API tokens may not call it. */
  readonly ticketOnly: boolean
  /** Handled by the host in the path. */
  readonly proxied: boolean
  readonly open: boolean
  readonly rules: ReadonlyMap<string, Rule>
  /** Rules of numbered keys, such as `scsi[n]`. */
  readonly numbered: ReadonlyMap<string, Rule>
}

const rulesByNumber = definitionLines
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Rule)

function parseEndpoint(line: string, pve: 8 | 9): Endpoint {
  const [, method = '', path = '', flags = '', rest = ''] = /^. (\S+) (\S+) (\S+) (.*)$/.exec(line) ?? []
  const cut = rest.startsWith('"') ? rest.indexOf('"', 1) + 1 : rest.lastIndexOf(']') + 1
  const end = rest.startsWith('"') ? cut : endOfExpression(rest)
  const rules = new Map<string, Rule>()
  const numbered = new Map<string, Rule>()
  for (const pair of rest.slice(end).trim().split(' ').filter(Boolean)) {
    const colon = pair.lastIndexOf(':')
    const name = pair.slice(0, colon)
    const rule = rulesByNumber[Number(pair.slice(colon + 1))] ?? {}
    if (name.endsWith('[n]')) numbered.set(name.slice(0, -3), rule)
    else rules.set(name, rule)
  }
  return {
    pve,
    method,
    path,
    segments: path.split('/').filter(Boolean),
    permission: JSON.parse(rest.slice(0, end)) as Permission,
    ticketOnly: flags.includes('ticket'),
    proxied: flags.includes('node'),
    open: flags.includes('open'),
    rules,
    numbered,
  }
}

function endOfExpression(text: string): number {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') depth++
    if (text[i] === ']' && --depth === 0) return i + 1
  }
  return text.length
}

const known = new Map<8 | 9, readonly Endpoint[]>()

/** Every endpoint of one major version of Proxmox VE that the lab serves. */
export function endpointsOf(pve: 8 | 9): readonly Endpoint[] {
  const endpoints = known.get(pve) ?? readEndpoints(pve)
  known.set(pve, endpoints)
  return endpoints
}

function readEndpoints(pve: 8 | 9): Endpoint[] {
  return endpointLines
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('*') || line.startsWith(String(pve)))
    .map((line) => parseEndpoint(line, pve))
}
