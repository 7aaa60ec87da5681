import { type Fields, findNumber, findText, flag, listOf, optional, text, words } from './fields.js'
import type { HaGroup, HaResource, HaRule, HaStatus, HighAvailabilityCalls } from './port.js'
import { unlessItExists, unlessItIsGone } from './tolerance.js'
import type { ProxmoxApi } from './transport/api.js'
import type { Form } from './transport/form.js'

/** No properties to delete. */
const nothing = async (): Promise<Form> => ({})

export function highAvailabilityCalls(api: ProxmoxApi): HighAvailabilityCalls {
  /** Creates it or, if it exists, changes it; only the creating call also takes the name. */
  const set = async (list: string, name: Form, id: string, form: Form, signal: AbortSignal, leftOver = nothing) => {
    const isNew = await unlessItExists(api.post(`/cluster/ha/${list}`, { ...name, ...form }, signal))
    if (!isNew) await api.put(`/cluster/ha/${list}/${id}`, { ...form, ...(await leftOver()) }, signal)
  }
  const all = async <T>(list: string, read: (entry: Fields) => T, signal: AbortSignal) =>
    listOf(await api.get(`/cluster/ha/${list}`, {}, signal)).map(read)
  const remove = (list: string, id: string, signal: AbortSignal) =>
    unlessItIsGone(api.delete(`/cluster/ha/${list}/${id}`, {}, signal))

  const resources = async (signal: AbortSignal) =>
    (await all('resources', readResource, signal)).filter(({ vmid }) => vmid > 0)

  return {
    read: async (major, signal) => {
      const hasGroups = major < 9
      const [known, groups, rules] = await Promise.all([
        resources(signal),
        hasGroups ? all('groups', readGroup, signal) : [],
        hasGroups ? [] : all('rules', readRule, signal),
      ])
      return { resources: known, groups, rules: rules.flatMap((rule) => rule ?? []) }
    },
    resources,
    status: async (signal) => readStatus(listOf(await api.get('/cluster/ha/status/current', {}, signal))),
    setResource: ({ vmid, ...resource }, signal) => {
      const leftOver = async (): Promise<Form> => {
        const hasGroup = (await resources(signal)).some((one) => one.vmid === vmid && one.group !== undefined)
        return hasGroup && resource.group === undefined ? { delete: 'group' } : {}
      }
      return set('resources', { sid: sidOf(vmid) }, sidOf(vmid), formOfResource(resource), signal, leftOver)
    },
    removeResource: (vmid, signal) => remove('resources', sidOf(vmid), signal),
    setRule: (rule, signal) => set('rules', { rule: rule.id }, rule.id, formOfRule(rule), signal),
    removeRule: (id, signal) => remove('rules', id, signal),
    setGroup: ({ id, hosts, restricted, comment }, signal) =>
      set('groups', { group: id }, id, { nodes: hosts.join(','), restricted, comment }, signal),
    removeGroup: (id, signal) => remove('groups', id, signal),
  }
}

function readStatus(entries: readonly Fields[]): HaStatus {
  const ofType = (type: string) => entries.filter((entry) => text(entry, 'type') === type)
  return {
    hosts: ofType('lrm').map((entry) => ({ host: text(entry, 'node'), status: text(entry, 'status') })),
    services: ofType('service')
      .map((entry) => ({ vmid: vmidOf(text(entry, 'sid')), host: text(entry, 'node'), state: text(entry, 'state') }))
      .filter(({ vmid }) => vmid > 0),
  }
}

function sidOf(vmid: number): string {
  return `vm:${vmid}`
}

/** `vm:100` is VM 100. Containers are ignored. */
function vmidOf(sid: string): number {
  return sid.startsWith('vm:') ? Number(sid.slice(3)) : 0
}

function formOfResource({ state, maxRestart, maxRelocate, comment, group }: Omit<HaResource, 'vmid'>): Form {
  return { state, max_restart: maxRestart, max_relocate: maxRelocate, comment, group }
}

/** Proxmox tries once by default. */
function triesIn(entry: Fields, name: string): number {
  return findNumber(entry, name) ?? 1
}

function readResource(entry: Fields): HaResource {
  const reported = text(entry, 'state')
  const state = (['stopped', 'ignored', 'disabled'] as const).find((one) => one === reported) ?? 'started'
  const more = { ...optional('comment', findText(entry, 'comment')), ...optional('group', findText(entry, 'group')) }
  const tries = { maxRestart: triesIn(entry, 'max_restart'), maxRelocate: triesIn(entry, 'max_relocate') }
  return { vmid: vmidOf(text(entry, 'sid')), state, ...tries, ...more }
}

/** A host may have a priority, `pve1:2`, which we do not use. */
function hostsOf(entry: Fields): string[] {
  return words(entry, 'nodes').map((host) => host.split(':')[0] ?? host)
}

function readRule(entry: Fields): HaRule | undefined {
  const vmids = words(entry, 'resources').map(vmidOf)
  const shared = { id: text(entry, 'rule'), vmids, ...optional('comment', findText(entry, 'comment')) }
  switch (text(entry, 'type')) {
    case 'node-affinity':
      return { type: 'node-affinity', ...shared, hosts: hostsOf(entry), strict: flag(entry, 'strict') }
    case 'resource-affinity':
      return { type: 'resource-affinity', ...shared, together: text(entry, 'affinity') === 'positive' }
    default:
      return undefined
  }
}

function formOfRule(rule: HaRule): Form {
  const shared = { type: rule.type, resources: rule.vmids.map(sidOf).join(','), comment: rule.comment }
  if (rule.type === 'node-affinity') return { ...shared, nodes: rule.hosts.join(','), strict: rule.strict }
  return { ...shared, affinity: rule.together ? 'positive' : 'negative' }
}

function readGroup(entry: Fields): HaGroup {
  const comment = optional('comment', findText(entry, 'comment'))
  return { id: text(entry, 'group'), hosts: hostsOf(entry), restricted: flag(entry, 'restricted'), ...comment }
}
