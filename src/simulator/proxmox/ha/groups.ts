import { died } from '../api-error.js'
import { optionsIn, sectionDigest, sectionsOf, show } from '../cluster/sections.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import { recoverHa } from './manager.js'

const migrated = (verb: string) => died(`cannot ${verb}: ha groups have been migrated to rules`)

function eightOnly(verb: string, handler: (call: Call) => unknown) {
  return (call: Call) => {
    if (call.datacenter.pve === 9) throw migrated(verb)
    return handler(call)
  }
}

/** Hosts that resources prefer; Proxmox VE 8 has these instead of rules. */
export const haGroupRoutes: Routes = {
  'GET /cluster/ha/groups': eightOnly('index groups', ({ datacenter }) => {
    const all = sectionsOf(datacenter, 'ha-groups')
    return Object.entries(all).map(([group, section]) => show('group', group, section, sectionDigest(all)))
  }),
  'POST /cluster/ha/groups': eightOnly('create group', (call) => {
    const all = sectionsOf(call.datacenter, 'ha-groups')
    const group = text(call, 'group')
    if (all[group] !== undefined) throw died(`create ha group failed: ha group ID '${group}' already defined`)
    all[group] = { type: 'group', ...optionsIn(call, ['group', 'type']) }
    return null
  }),
  'GET /cluster/ha/groups/{group}': eightOnly('read group', (call) => {
    const all = sectionsOf(call.datacenter, 'ha-groups')
    const group = text(call, 'group')
    const section = all[group]
    if (section === undefined) throw died(`no such ha group '${group}'`)
    return show('group', group, section, sectionDigest(all))
  }),
  'PUT /cluster/ha/groups/{group}': eightOnly('update group', (call) => {
    const group = text(call, 'group')
    const section = sectionsOf(call.datacenter, 'ha-groups')[group]
    if (section === undefined) throw died(`update ha group failed: no such ha group '${group}'`)
    for (const key of splitList(find(call, 'delete') ?? '')) delete section[key]
    Object.assign(section, optionsIn(call, ['group', 'delete', 'digest']))
    recoverHa(call.datacenter)
    return null
  }),
  'DELETE /cluster/ha/groups/{group}': eightOnly('delete group', (call) => {
    const group = text(call, 'group')
    const user = Object.entries(sectionsOf(call.datacenter, 'ha')).find(([, section]) => section.group === group)
    if (user !== undefined) throw died(`delete ha group failed: ha group is used by service '${user[0]}'`)
    delete sectionsOf(call.datacenter, 'ha-groups')[group]
    return null
  }),
}
