import { isIP } from 'node:net'
import { badParameters, died } from '../api-error.js'
import { type Call, find, number, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { FirewallRule } from '../state.js'
import { macros } from './macros.js'
import { digestOf, firewallOf, refuseStale, scopes } from './scope.js'

type RulesOf = (call: Call) => FirewallRule[]

const fields = [
  'type',
  'action',
  'enable',
  'macro',
  'proto',
  'source',
  'dest',
  'sport',
  'dport',
  'icmp-type',
  'iface',
  'log',
  'comment',
]

function show(rule: FirewallRule, pos: number | string, digest: string): Record<string, unknown> {
  const { enable, ...rest } = rule
  const hasAddress = [rule.source, rule.dest].find((address) => address !== undefined && /^[\d.:a-f/]+$/i.test(address))
  return {
    ...rest,
    enable: Number(enable ?? 0),
    pos,
    digest,
    ...(hasAddress === undefined ? {} : { ipversion: hasAddress.includes(':') ? 6 : 4 }),
  }
}

function getRule(rules: readonly FirewallRule[], pos: number): FirewallRule {
  const rule = rules[pos]
  if (rule === undefined) throw died(`no rule at position ${pos}`)
  return rule
}

function refuseBadRule(call: Call, rule: FirewallRule): void {
  const errors: Record<string, string> = {}
  if (rule.type !== 'group' && !['ACCEPT', 'DROP', 'REJECT'].includes(rule.action ?? ''))
    errors.action = `unknown action '${rule.action ?? ''}'`
  if (rule.macro !== undefined && !macros.has(rule.macro)) errors.macro = `unknown macro '${rule.macro}'`
  for (const side of ['source', 'dest']) {
    const problem = addressProblem(call, rule[side])
    if (problem !== undefined) errors[side] = problem
  }
  for (const side of ['sport', 'dport']) {
    const value = rule[side]
    if (value === undefined) continue
    const problem = portProblem(value)
    if (problem !== undefined) errors[side] = problem
    else if (rule.proto === undefined) errors.proto = `missing property - '${side}' requires this property`
  }
  if (Object.keys(errors).length > 0) throw badParameters(errors)
}

function portProblem(value: string): string | undefined {
  for (const part of value.split(/[,:]/))
    if (/^\d+$/.test(part) && Number(part) > 65535) return `invalid format - invalid port '${part}'\n`
  return undefined
}

function addressProblem(call: Call, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const set = /^\+(?:dc\/|guest\/)?(.+)$/.exec(value)?.[1]
  if (set !== undefined) return isKnownSet(call, set) ? undefined : `no such ipset '${set}'`
  for (const part of splitList(value)) {
    const [address = ''] = part.split(/[/-]/)
    const quad = address.split('.').find((number) => /^\d+$/.test(number) && Number(number) > 255)
    if (/^[\d.]+$/.test(address) && isIP(address) === 0)
      return `invalid format - invalid IP address: Invalid quad in IP address ${address} - ${quad ?? ''}\n`
  }
  return undefined
}

function isKnownSet(call: Call, name: string): boolean {
  return ['cluster', ...Object.values(scopes).map((scope) => scope(call))].some(
    (scope) => call.datacenter.state.firewall[scope]?.ipsets[name] !== undefined,
  )
}

function ruleIn({ parameters }: Call): FirewallRule {
  return Object.fromEntries(
    fields.flatMap((name) => (parameters[name] === undefined ? [] : [[name, String(parameters[name])]])),
  )
}

/** A new rule is always first, whatever position was requested. */
function add(rulesOf: RulesOf) {
  return (call: Call) => {
    const rules = rulesOf(call)
    refuseStale(call, digestOf(rules))
    const rule = ruleIn(call)
    refuseBadRule(call, rule)
    rules.unshift(rule)
    return null
  }
}

function update(rulesOf: RulesOf) {
  return (call: Call) => {
    const rules = rulesOf(call)
    refuseStale(call, digestOf(rules))
    const pos = number(call, 'pos')
    const rule = getRule(rules, pos)
    const moveTo = find(call, 'moveto')
    if (moveTo !== undefined) {
      move(rules, pos, Number(moveTo))
      return null
    }
    const changed = { ...rule, ...ruleIn(call) }
    for (const name of splitList(find(call, 'delete') ?? '')) delete changed[name]
    refuseBadRule(call, changed)
    rules[pos] = changed
    return null
  }
}

/** Before the rule that is at that position now. */
function move(rules: FirewallRule[], from: number, to: number): void {
  const [rule] = rules.splice(from, 1)
  if (rule !== undefined) rules.splice(to > from ? to - 1 : to, 0, rule)
}

function remove(rulesOf: RulesOf) {
  return (call: Call) => {
    const rules = rulesOf(call)
    refuseStale(call, digestOf(rules))
    getRule(rules, number(call, 'pos'))
    rules.splice(number(call, 'pos'), 1)
    return null
  }
}

function list(rulesOf: RulesOf) {
  return (call: Call) => {
    const rules = rulesOf(call)
    return rules.map((rule, pos) => show(rule, pos, digestOf(rules)))
  }
}

function read(rulesOf: RulesOf) {
  return (call: Call) => {
    const rules = rulesOf(call)
    return show(getRule(rules, number(call, 'pos')), text(call, 'pos'), digestOf(rules))
  }
}

function routesAt(base: string, rulesOf: RulesOf): Routes {
  return {
    [`GET ${base}`]: list(rulesOf),
    [`POST ${base}`]: add(rulesOf),
    [`GET ${base}/{pos}`]: read(rulesOf),
    [`PUT ${base}/{pos}`]: update(rulesOf),
    [`DELETE ${base}/{pos}`]: remove(rulesOf),
  }
}

function groupRules(call: Call): FirewallRule[] {
  const name = text(call, 'group')
  const group = firewallOf(call, 'cluster').groups[name]
  if (group === undefined) throw died(`no such security group '${name}'`)
  return group.rules
}

export const firewallRuleRoutes: Routes = {
  ...Object.assign(
    {},
    ...Object.entries(scopes).map(([base, scope]) =>
      routesAt(`${base}/rules`, (call) => firewallOf(call, scope(call)).rules),
    ),
  ),
  ...routesAt('/cluster/firewall/groups/{group}', groupRules),
}
