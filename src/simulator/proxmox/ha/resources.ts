import { badParameters, died } from '../api-error.js'
import { optionsIn, sectionDigest, sectionsOf, show } from '../cluster/sections.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { Section } from '../state.js'
import { considerHa, wakeHa } from './manager.js'
import { dropFromRules, haStateOf } from './services.js'

/** `vm:100`, which may be given as `100`. */
export function sidOf(call: Call): string {
  const sid = text(call, 'sid')
  return /^\d+$/.test(sid) ? `vm:${sid}` : sid
}

function getResource(datacenter: Datacenter, sid: string, prefix = ''): Section {
  const resource = sectionsOf(datacenter, 'ha')[sid]
  if (resource === undefined) throw died(`${prefix}no such resource '${sid}'`)
  return resource
}

function refuseGroup(call: Call): void {
  if (call.datacenter.pve === 9 && find(call, 'group') !== undefined)
    throw died("invalid parameter 'group': ha groups have been migrated to rules")
}

/** A service in error is left alone until it is disabled. */
export function refuseInError(datacenter: Datacenter, sid: string, requested?: string): void {
  if (haStateOf(datacenter).services[sid]?.state === 'error' && requested !== 'disabled')
    throw died(`service '${sid}' in error state, must be disabled and fixed first`)
}

function resources(call: Call): unknown[] {
  const all = sectionsOf(call.datacenter, 'ha')
  const type = find(call, 'type')
  const groups = sectionsOf(call.datacenter, 'ha-groups')
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
  const { datacenter } = call
  const sid = sidOf(call)
  if (!/^(vm|ct):\d+$/.test(sid))
    throw badParameters({ sid: 'invalid format - value does not look like a valid ha resource id\n' })
  refuseGroup(call)
  const vmid = Number(sid.split(':')[1])
  const all = sectionsOf(datacenter, 'ha')
  if (datacenter.state.vms[String(vmid)] === undefined) throw died(`resource '${sid}' does not exist in cluster`)
  if (all[sid] !== undefined) throw died(`create resource failed: resource ID '${sid}' already defined`)
  all[sid] = { type: 'vm', ...optionsIn(call, ['sid', 'type']) }
  considerHa(datacenter, vmid)
  return null
}

function updateResource(call: Call): null {
  const { datacenter } = call
  const sid = sidOf(call)
  refuseGroup(call)
  const resource = getResource(datacenter, sid, 'update resources config failed: ')
  if (find(call, 'state') !== undefined) refuseInError(datacenter, sid, find(call, 'state'))
  for (const key of splitList(find(call, 'delete') ?? '')) delete resource[key]
  Object.assign(resource, optionsIn(call, ['sid', 'delete', 'digest']))
  considerHa(datacenter, Number(sid.split(':')[1]))
  return null
}

function removeResource(call: Call): null {
  const { datacenter } = call
  const sid = sidOf(call)
  const all = sectionsOf(datacenter, 'ha')
  if (all[sid] === undefined) throw died(`cannot delete service '${sid}', not HA managed!`)
  delete all[sid]
  wakeHa(datacenter)
  if (find(call, 'purge') !== '0') dropFromRules(datacenter, sid)
  return null
}

function readResource(call: Call): unknown {
  const sid = sidOf(call)
  return show('sid', sid, getResource(call.datacenter, sid), sectionDigest(sectionsOf(call.datacenter, 'ha')))
}

const base = '/cluster/ha/resources'

/** The VMs that HA manages. */
export const haResourceRoutes: Routes = {
  [`GET ${base}`]: resources,
  [`POST ${base}`]: addResource,
  [`GET ${base}/{sid}`]: readResource,
  [`PUT ${base}/{sid}`]: updateResource,
  [`DELETE ${base}/{sid}`]: removeResource,
}
