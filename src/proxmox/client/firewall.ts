import { type Fields, fieldsOf, findText, flag, listOf, number, optional, text } from './fields.js'
import { pathOf } from './machines.js'
import type { FirewallCalls, FirewallRule, FirewallScope, RuleList } from './port.js'
import { ignoreError, unlessItExists, unlessItIsGone } from './tolerance.js'
import type { ProxmoxApi } from './transport/api.js'

export function firewallCalls(api: ProxmoxApi): FirewallCalls {
  const ipset = (scope: FirewallScope, name: string) => `${scopePath(scope)}/ipset/${name}`
  return {
    options: async (scope, signal) => {
      const { digest, ...options } = textsOf(fieldsOf(await api.get(`${scopePath(scope)}/options`, {}, signal)))
      return { options, digest: digest ?? '' }
    },
    setOptions: async (scope, { set, delete: keys, digest }, signal) => {
      const form = { ...set, ...(keys?.length ? { delete: keys.join(',') } : {}), digest }
      await api.put(`${scopePath(scope)}/options`, form, signal)
    },
    rules: async (list, signal) => {
      const rules = [...listOf(await api.get(rulesPath(list), {}, signal))]
      rules.sort((one, other) => number(one, 'pos') - number(other, 'pos'))
      return { rules: rules.map(readRule), digest: text(rules[0] ?? {}, 'digest') }
    },
    addRule: async (list, { type, action, enabled, match }, signal) =>
      void (await api.post(rulesPath(list), { ...match, type, action, enable: enabled }, signal)),
    removeRule: async (list, position, digest, signal) =>
      void (await api.delete(`${rulesPath(list)}/${position}`, { digest }, signal)),
    ipsets: async (scope, signal) => listOf(await api.get(`${scopePath(scope)}/ipset`, {}, signal)).map(named('name')),
    createIpset: (scope, name, comment, signal) =>
      unlessItExists(api.post(`${scopePath(scope)}/ipset`, { name, comment }, signal)),
    setIpsetComment: async (scope, name, comment, signal) =>
      void (await api.post(`${scopePath(scope)}/ipset`, { name, rename: name, comment }, signal)),
    removeIpset: (scope, name, signal) => unlessItIsGone(api.delete(ipset(scope, name), {}, signal)),
    ipsetEntries: async (scope, name, signal) =>
      listOf(await api.get(ipset(scope, name), {}, signal)).map((entry) => ({
        cidr: text(entry, 'cidr'),
        ...optional('comment', findText(entry, 'comment')),
      })),
    addIpsetEntry: async (scope, name, { cidr, comment }, signal) =>
      void (await ignoreError('exists', api.post(ipset(scope, name), { cidr, comment }, signal), undefined)),
    removeIpsetEntry: (scope, name, cidr, signal) =>
      unlessItIsGone(api.delete(`${ipset(scope, name)}/${encodeURIComponent(cidr)}`, {}, signal)),
    groups: async (signal) => listOf(await api.get('/cluster/firewall/groups', {}, signal)).map(named('group')),
    createGroup: (name, comment, signal) =>
      unlessItExists(api.post('/cluster/firewall/groups', { group: name, comment }, signal)),
    removeGroup: (name, signal) => unlessItIsGone(api.delete(`/cluster/firewall/groups/${name}`, {}, signal)),
  }
}

function scopePath(scope: FirewallScope): string {
  switch (scope.kind) {
    case 'cluster':
      return '/cluster/firewall'
    case 'host':
      return `/nodes/${scope.host}/firewall`
    case 'vm':
      return `${pathOf(scope.vm)}/firewall`
  }
}

function rulesPath(list: RuleList): string {
  return list.kind === 'group' ? `/cluster/firewall/groups/${list.group}` : `${scopePath(list)}/rules`
}

function named(key: string) {
  return (entry: Fields) => ({ name: text(entry, key), comment: text(entry, 'comment') })
}

function readRule(entry: Fields): FirewallRule {
  const { pos: _pos, digest: _digest, ipversion: _version, type, action, enable: _enable, ...match } = textsOf(entry)
  const known = (['in', 'out', 'forward', 'group'] as const).find((one) => one === type)
  return { type: known ?? 'in', action: action ?? '', enabled: flag(entry, 'enable'), match }
}

function textsOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)]))
}
