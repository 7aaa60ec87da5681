import { badParameters, died } from '../api-error.js'
import type { Datacentre } from '../datacentre.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { Section } from '../state.js'
import { considerHa } from '../vm/ha-manager.js'
import { haRuleRoutes } from './ha-rules.js'
import { optionsIn, sectionDigest, sectionsOf, show } from './sections.js'

function sidOf(call: Call): string {
  const sid = text(call, 'sid')
  return /^\d+$/.test(sid) ? `vm:${sid}` : sid
}

function getResource(datacentre: Datacentre, sid: string, prefix = ''): Section {
  const resource = sectionsOf(datacentre, 'ha')[sid]
  if (resource === undefined) throw died(`${prefix}no such resource '${sid}'`)
  return resource
}

function refuseGroup(call: Call): void {
  if (call.datacentre.pve === 9 && find(call, 'group') !== undefined)
    throw died("invalid parameter 'group': ha groups have been migrated to rules")
}

function resources(call: Call): unknown[] {
  const all = sectionsOf(call.datacentre, 'ha')
  const type = find(call, 'type')
  const groups = sectionsOf(call.datacentre, 'ha-groups')
  return Object.entries(all)
    .filter(([, section]) => type === undefined || section.type === type)
    .map(([sid, section]) => ({
      ...show('sid', sid, section, sectionDigest(all)),
      ...(section.group !== undefined && groups[String(section.group)] === undefined
        ? { errors: { group: `group '${String(section.group)}' does not exist` } }
        : {}),
    }))
}

function addResource(call: Call): null {
  const { datacentre } = call
  const sid = sidOf(call)
  if (!/^(vm|ct):\d+$/.test(sid))
    throw badParameters({ sid: 'invalid format - value does not look like a valid ha resource id\n' })
  refuseGroup(call)
  const vmid = Number(sid.split(':')[1])
  const all = sectionsOf(datacentre, 'ha')
  if (datacentre.state.vms[String(vmid)] === undefined) throw died(`resource '${sid}' does not exist in cluster`)
  if (all[sid] !== undefined) throw died(`create resource failed: resource ID '${sid}' already defined`)
  all[sid] = { type: 'vm', ...optionsIn(call, ['sid', 'type']) }
  considerHa(datacentre, vmid)
  return null
}

function updateResource(call: Call): null {
  const { datacentre } = call
  const sid = sidOf(call)
  refuseGroup(call)
  const resource = getResource(datacentre, sid, 'update resources config failed: ')
  for (const key of splitList(find(call, 'delete') ?? '')) delete resource[key]
  Object.assign(resource, optionsIn(call, ['sid', 'delete', 'digest']))
  considerHa(datacentre, Number(sid.split(':')[1]))
  return null
}

function removeResource(call: Call): null {
  const { datacentre } = call
  const sid = sidOf(call)
  const all = sectionsOf(datacentre, 'ha')
  if (all[sid] === undefined) throw died(`cannot delete service '${sid}', not HA managed!`)
  delete all[sid]
  const vm = datacentre.state.vms[sid.split(':')[1] ?? '']
  if (vm !== undefined) delete vm.ha
  if (find(call, 'purge') !== '0') dropFromRules(datacentre, sid)
  return null
}

function dropFromRules(datacentre: Datacentre, sid: string): void {
  const rules = sectionsOf(datacentre, 'ha-rules')
  for (const [id, rule] of Object.entries(rules)) {
    const left = splitList(String(rule.resources)).filter((other) => other !== sid)
    if (left.length === 0) delete rules[id]
    else rule.resources = left.join(',')
  }
}

function readResource(call: Call): unknown {
  const sid = sidOf(call)
  return show('sid', sid, getResource(call.datacentre, sid), sectionDigest(sectionsOf(call.datacentre, 'ha')))
}

const migrated = (verb: string) => died(`cannot ${verb}: ha groups have been migrated to rules`)

function eightOnly(verb: string, handler: (call: Call) => unknown) {
  return (call: Call) => {
    if (call.datacentre.pve === 9) throw migrated(verb)
    return handler(call)
  }
}

const groupRoutes: Routes = {
  'GET /cluster/ha/groups': eightOnly('index groups', ({ datacentre }) => {
    const all = sectionsOf(datacentre, 'ha-groups')
    return Object.entries(all).map(([group, section]) => show('group', group, section, sectionDigest(all)))
  }),
  'POST /cluster/ha/groups': eightOnly('create group', (call) => {
    const all = sectionsOf(call.datacentre, 'ha-groups')
    const group = text(call, 'group')
    if (all[group] !== undefined) throw died(`create ha group failed: ha group ID '${group}' already defined`)
    all[group] = { type: 'group', ...optionsIn(call, ['group', 'type']) }
    return null
  }),
  'GET /cluster/ha/groups/{group}': eightOnly('read group', (call) => {
    const all = sectionsOf(call.datacentre, 'ha-groups')
    const group = text(call, 'group')
    const section = all[group]
    if (section === undefined) throw died(`no such ha group '${group}'`)
    return show('group', group, section, sectionDigest(all))
  }),
  'PUT /cluster/ha/groups/{group}': eightOnly('update group', (call) => {
    const group = text(call, 'group')
    const section = sectionsOf(call.datacentre, 'ha-groups')[group]
    if (section === undefined) throw died(`update ha group failed: no such ha group '${group}'`)
    for (const key of splitList(find(call, 'delete') ?? '')) delete section[key]
    Object.assign(section, optionsIn(call, ['group', 'delete', 'digest']))
    return null
  }),
  'DELETE /cluster/ha/groups/{group}': eightOnly('delete group', (call) => {
    const group = text(call, 'group')
    const user = Object.entries(sectionsOf(call.datacentre, 'ha')).find(([, section]) => section.group === group)
    if (user !== undefined) throw died(`delete ha group failed: ha group is used by service '${user[0]}'`)
    delete sectionsOf(call.datacentre, 'ha-groups')[group]
    return null
  }),
}

function current({ datacentre }: Call): unknown[] {
  const { state, clock } = datacentre
  const timestamp = Math.floor(clock.now() / 1000)
  const when = calendarTime(clock.now())
  const hosts = Object.values(state.hosts)
  const master = hosts.find(({ online }) => online)?.name ?? ''
  const services = Object.entries(state.sections.ha ?? {}).map(([sid, section]) => service(datacentre, sid, section))
  return [
    {
      id: 'quorum',
      type: 'quorum',
      node: master,
      status: state.quorate ? 'OK' : 'No quorum!',
      quorate: state.quorate ? 1 : 0,
    },
    { id: 'master', type: 'master', node: master, status: `${master} (active, ${when})`, timestamp },
    ...hosts.map(({ name, online }) => ({
      id: `lrm:${name}`,
      type: 'lrm',
      node: name,
      status: `${name} (${online ? 'active' : 'old timestamp - dead?'}, ${when})`,
      timestamp,
    })),
    ...services,
  ]
}

/** `Sun Nov 15 03:22:14 2026`. */
function calendarTime(ms: number): string {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(ms).toUTCString().replace(',', '').split(' ')
  return `${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`
}

function service({ state }: Datacentre, sid: string, section: Section): Record<string, unknown> {
  const vm = state.vms[sid.split(':')[1] ?? '']
  const crm = vm?.ha ?? 'queued'
  return {
    id: `service:${sid}`,
    type: 'service',
    sid,
    node: vm?.host ?? '',
    state: crm,
    crm_state: crm,
    request_state: section.state ?? 'started',
    status: `${sid} (${vm?.host ?? ''}, ${crm})`,
    max_restart: Number(section.max_restart ?? 1),
    max_relocate: Number(section.max_relocate ?? 1),
    ...(section.group === undefined ? {} : { group: section.group }),
  }
}

const base = '/cluster/ha/resources'

export const haRoutes: Routes = {
  'GET /cluster/ha': ({ datacentre }) =>
    ['status', 'resources', 'groups', ...(datacentre.pve === 9 ? ['rules'] : [])].map((id) => ({ id })),
  [`GET ${base}`]: resources,
  [`POST ${base}`]: addResource,
  [`GET ${base}/{sid}`]: readResource,
  [`PUT ${base}/{sid}`]: updateResource,
  [`DELETE ${base}/{sid}`]: removeResource,
  [`POST ${base}/{sid}/migrate`]: () => null,
  [`POST ${base}/{sid}/relocate`]: () => null,
  ...groupRoutes,
  ...haRuleRoutes,
  'GET /cluster/ha/status': () => ['current', 'manager_status'].map((name) => ({ name })),
  'GET /cluster/ha/status/current': current,
  'GET /cluster/ha/status/manager_status': ({ datacentre }) => ({
    quorum: { node: Object.keys(datacentre.state.hosts)[0], quorate: datacentre.state.quorate ? '1' : '0' },
    manager_status: {
      node_status: Object.fromEntries(
        Object.values(datacentre.state.hosts).map(({ name, online }) => [name, online ? 'online' : 'unknown']),
      ),
    },
    lrm_status: {},
  }),
}
