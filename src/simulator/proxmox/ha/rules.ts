import { ApiError, died } from '../api-error.js'
import { optionsIn, sectionDigest, sectionsOf, show } from '../cluster/sections.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { Section } from '../state.js'
import { recoverHa } from './manager.js'

const resourcesOf = (rule: Section) => splitList(String(rule.resources ?? ''))

/** HA rules; Proxmox VE 9 has these instead of groups. */
export const haRuleRoutes: Routes = {
  'GET /cluster/ha/rules': (call) => {
    const all = sectionsOf(call.datacenter, 'ha-rules')
    const [type, resource] = [find(call, 'type'), find(call, 'resource')]
    return Object.entries(all)
      .map(([id, rule], order) => ({ id, rule, order }))
      .filter(({ rule }) => type === undefined || rule.type === type)
      .filter(({ rule }) => resource === undefined || resourcesOf(rule).includes(resource))
      .map(({ id, rule, order }) => ({ ...show('rule', id, rule, sectionDigest(all)), order }))
  },
  'POST /cluster/ha/rules': (call) => {
    const id = text(call, 'rule')
    const rules = sectionsOf(call.datacenter, 'ha-rules')
    if (rules[id] !== undefined) throw died(`create ha rule failed: HA rule '${id}' already defined`)
    return keep(call, id, { type: text(call, 'type'), ...optionsIn(call, ['rule', 'type']) }, 'create ha rule failed: ')
  },
  'GET /cluster/ha/rules/{rule}': (call) => {
    const all = sectionsOf(call.datacenter, 'ha-rules')
    const id = text(call, 'rule')
    const rule = all[id]
    if (rule === undefined) throw died(`no such ha rule '${id}'`)
    return { ...show('rule', id, rule, sectionDigest(all)), order: Object.keys(all).indexOf(id) }
  },
  'PUT /cluster/ha/rules/{rule}': (call) => {
    const id = text(call, 'rule')
    const rule = sectionsOf(call.datacenter, 'ha-rules')[id]
    if (rule === undefined) throw died(`update HA rules failed: HA rule '${id}' does not exist`)
    const changed: Section = { ...rule, ...optionsIn(call, ['rule', 'type', 'delete', 'digest']) }
    for (const key of splitList(find(call, 'delete') ?? '')) delete changed[key]
    return keep(call, id, changed, 'update HA rules failed: ')
  },
  'DELETE /cluster/ha/rules/{rule}': (call) => {
    delete sectionsOf(call.datacenter, 'ha-rules')[text(call, 'rule')]
    recoverHa(call.datacenter)
    return null
  },
}

function keep({ datacenter }: Call, id: string, rule: Section, prefix: string): null {
  refuseStrangers(datacenter, rule, prefix)
  const rules = sectionsOf(datacenter, 'ha-rules')
  const problem = whyInfeasible(datacenter, { ...rules, [id]: rule }, id)
  if (problem !== undefined) throw new ApiError(400, `Rule '${id}' is invalid.\n`, { errors: { resources: problem } })
  rules[id] = rule
  recoverHa(datacenter)
  return null
}

function refuseStrangers({ state }: Datacenter, rule: Section, prefix: string): void {
  const unmanaged = resourcesOf(rule).filter((sid) => state.sections.ha?.[sid] === undefined)
  if (unmanaged.length > 0) throw died(`${prefix}cannot use unmanaged resource(s) ${unmanaged.join(', ')}.`)
  const unknown = splitList(String(rule.nodes ?? ''))
    .map((node) => node.split(':')[0] ?? '')
    .filter((node) => state.hosts[node] === undefined)
  if (unknown.length > 0) throw died(`${prefix}cannot use non-existent node(s) ${unknown.join(', ')}.`)
}

/** Why the rule cannot be met together with the others; `undefined` if it can. */
function whyInfeasible({ state }: Datacenter, rules: Record<string, Section>, id: string): string | undefined {
  const rule = rules[id]
  if (rule?.type !== 'resource-affinity') return undefined
  const mine = resourcesOf(rule)
  if (mine.length < 2) return 'rule is ineffective as there are less than two resources'
  if (rule.affinity === 'negative' && mine.length > Object.keys(state.hosts).length)
    return 'rule defines more resources than available nodes'
  const rival = Object.entries(rules).find(
    ([, other]) =>
      other.type === 'resource-affinity' &&
      other.affinity !== rule.affinity &&
      resourcesOf(other).filter((sid) => mine.includes(sid)).length > 1,
  )
  return rival === undefined ? undefined : `rule shares two or more resources with '${rival[0]}'`
}
