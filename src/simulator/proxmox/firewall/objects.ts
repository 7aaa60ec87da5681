import { badParameters, died } from '../api-error.js'
import { type Call, find, flag, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { FirewallState } from '../state.js'
import { macros } from './macros.js'
import { digestOf, firewallOf, refuseStale, type Scope, scopes } from './scope.js'

const textOptions = /^(policy_|log_|smurf_|tcp_flags_|nf_conntrack_helpers)/

function options(scope: Scope) {
  return (call: Call) => {
    const { options: set } = firewallOf(call, scope(call))
    const shown = Object.entries(set).map(([key, value]) => [key, textOptions.test(key) ? value : Number(value)])
    return { ...Object.fromEntries(shown), digest: digestOf(set) }
  }
}

function setOptions(scope: Scope) {
  return (call: Call) => {
    const { options: set } = firewallOf(call, scope(call))
    refuseStale(call, digestOf(set))
    for (const key of splitList(find(call, 'delete') ?? '')) delete set[key]
    for (const [key, value] of Object.entries(call.parameters))
      if (!['node', 'vmid', 'vnet', 'delete', 'digest'].includes(key)) set[key] = String(value)
    return null
  }
}

type Alias = FirewallState['aliases'][string]

const versionOf = (cidr: string) => (cidr.includes(':') ? 6 : 4)

function aliasRoutes(base: string, scope: Scope): Routes {
  const aliasesOf = (call: Call) => firewallOf(call, scope(call)).aliases
  const get = (call: Call): Alias => {
    const alias = aliasesOf(call)[text(call, 'name').toLowerCase()]
    if (alias === undefined) throw badParameters({ name: 'no such alias' })
    return alias
  }
  const show = ({ name, cidr, comment }: Alias) => ({
    name,
    cidr,
    ipversion: versionOf(cidr),
    ...(comment === undefined ? {} : { comment }),
  })
  return {
    [`GET ${base}`]: (call) =>
      Object.values(aliasesOf(call)).map((alias) => ({ ...show(alias), digest: digestOf(aliasesOf(call)) })),
    [`POST ${base}`]: (call) => {
      const name = text(call, 'name')
      if (aliasesOf(call)[name.toLowerCase()] !== undefined)
        throw badParameters({ name: `alias '${name}' already exists` })
      const comment = find(call, 'comment')
      aliasesOf(call)[name.toLowerCase()] = {
        name,
        cidr: text(call, 'cidr'),
        ...(comment === undefined ? {} : { comment }),
      }
      return null
    },
    [`GET ${base}/{name}`]: (call) => show(get(call)),
    [`PUT ${base}/{name}`]: (call) => {
      const alias = get(call)
      refuseStale(call, digestOf(aliasesOf(call)))
      alias.cidr = text(call, 'cidr')
      const comment = find(call, 'comment')
      if (comment !== undefined) alias.comment = comment
      const rename = find(call, 'rename')
      if (rename !== undefined) {
        delete aliasesOf(call)[alias.name.toLowerCase()]
        aliasesOf(call)[rename.toLowerCase()] = { ...alias, name: rename }
      }
      return null
    },
    [`DELETE ${base}/{name}`]: (call) => {
      get(call)
      delete aliasesOf(call)[text(call, 'name').toLowerCase()]
      return null
    },
  }
}

function ipsetRoutes(base: string, scope: Scope): Routes {
  const setsOf = (call: Call) => firewallOf(call, scope(call)).ipsets
  const get = (call: Call) => {
    const name = text(call, 'name')
    const set = setsOf(call)[name]
    if (set === undefined) throw died(`no such IPSet '${name}'`)
    return set
  }
  const entry = (call: Call) => {
    const cidr = text(call, 'cidr')
    const found = get(call).entries.find((other) => other.cidr === cidr)
    if (found === undefined) throw badParameters({ cidr: 'no such IP/Network' })
    return found
  }
  return {
    [`GET ${base}`]: (call) =>
      Object.entries(setsOf(call)).map(([name, { comment }]) => ({
        name,
        digest: digestOf(setsOf(call)),
        ...(comment === undefined ? {} : { comment }),
      })),
    [`POST ${base}`]: (call) => createSet(call, setsOf(call)),
    [`GET ${base}/{name}`]: (call) =>
      get(call).entries.map(({ nomatch, ...rest }) => ({
        ...rest,
        ...(nomatch === '1' ? { nomatch: 1 } : {}),
        digest: digestOf(get(call).entries),
      })),
    [`POST ${base}/{name}`]: (call) => addEntry(call, get(call)),
    [`DELETE ${base}/{name}`]: (call) => {
      const name = text(call, 'name')
      if (get(call).entries.length > 0 && !flag(call, 'force')) throw died(`IPSet '${name}' is not empty`)
      delete setsOf(call)[name]
      return null
    },
    [`GET ${base}/{name}/{cidr}`]: (call) => entry(call),
    [`PUT ${base}/{name}/{cidr}`]: (call) => {
      const found = entry(call)
      const comment = find(call, 'comment')
      if (comment !== undefined) found.comment = comment
      return null
    },
    [`DELETE ${base}/{name}/{cidr}`]: (call) => {
      const found = entry(call)
      const set = get(call)
      set.entries = set.entries.filter((other) => other !== found)
      return null
    },
  }
}

function createSet(call: Call, sets: FirewallState['ipsets']): null {
  const name = text(call, 'name')
  const rename = find(call, 'rename')
  const comment = find(call, 'comment')
  if (rename !== undefined && sets[rename] !== undefined) {
    const old = sets[rename]
    delete sets[rename]
    sets[name] = { ...old, entries: old.entries, ...(comment === undefined ? {} : { comment }) }
    return null
  }
  if (sets[name] !== undefined) throw badParameters({ name: `IPSet '${name}' already exists` })
  sets[name] = { entries: [], ...(comment === undefined ? {} : { comment }) }
  return null
}

function addEntry(call: Call, set: FirewallState['ipsets'][string]): null {
  const cidr = text(call, 'cidr')
  const [address = '', bits = ''] = cidr.split('/')
  const most = address.includes(':') ? 128 : 32
  if (Number(bits || 0) > most)
    throw badParameters({ cidr: `invalid format - Prefix length ${bits} is longer than IP address (${most})\n` })
  if (set.entries.some((entry) => entry.cidr === cidr))
    throw badParameters({ cidr: `address '${cidr}' already exists` })
  const comment = find(call, 'comment')
  const nomatch = find(call, 'nomatch')
  set.entries.push({
    cidr,
    ...(comment === undefined ? {} : { comment }),
    ...(nomatch === undefined ? {} : { nomatch }),
  })
  return null
}

const groupRoutes: Routes = {
  'GET /cluster/firewall/groups': (call) => {
    const { groups } = firewallOf(call, 'cluster')
    return Object.entries(groups).map(([group, { comment }]) => ({
      group,
      digest: digestOf(groups),
      ...(comment === undefined ? {} : { comment }),
    }))
  },
  'POST /cluster/firewall/groups': (call) => {
    const { groups } = firewallOf(call, 'cluster')
    const group = text(call, 'group')
    if (groups[group] !== undefined) throw badParameters({ group: `Security group '${group}' already exists` })
    const comment = find(call, 'comment')
    groups[group] = { rules: [], ...(comment === undefined ? {} : { comment }) }
    return null
  },
  'DELETE /cluster/firewall/groups/{group}': (call) => {
    const { groups } = firewallOf(call, 'cluster')
    const group = text(call, 'group')
    if (groups[group] !== undefined && groups[group].rules.length > 0)
      throw died(`Security group '${group}' is not empty`)
    delete groups[group]
    return null
  },
}

function refs(call: Call): unknown[] {
  const { aliases, ipsets } = firewallOf(call, 'cluster')
  return [
    ...Object.values(aliases).map(({ name }) => ({ type: 'alias', name, ref: `dc/${name}`, scope: 'dc' })),
    ...Object.keys(ipsets).map((name) => ({ type: 'ipset', name, ref: `+dc/${name}`, scope: 'dc' })),
  ]
}

const clusterIndex = 'aliases rules options groups ipset macros refs'
const vm = '/nodes/{node}/qemu/{vmid}/firewall'

export const firewallRoutes: Routes = {
  ...Object.fromEntries(
    Object.entries(scopes).flatMap(([base, scope]) => [
      [`GET ${base}/options`, options(scope)],
      [`PUT ${base}/options`, setOptions(scope)],
    ]),
  ),
  ...aliasRoutes('/cluster/firewall/aliases', () => 'cluster'),
  ...aliasRoutes(`${vm}/aliases`, (call) => `vm/${text(call, 'vmid')}`),
  ...ipsetRoutes('/cluster/firewall/ipset', () => 'cluster'),
  ...ipsetRoutes(`${vm}/ipset`, (call) => `vm/${text(call, 'vmid')}`),
  ...groupRoutes,
  'GET /cluster/firewall': () => clusterIndex.split(' ').map((name) => ({ name })),
  'GET /nodes/{node}/firewall': () => ['rules', 'options', 'log'].map((name) => ({ name })),
  [`GET ${vm}`]: () => ['rules', 'aliases', 'ipset', 'refs', 'options', 'log'].map((name) => ({ name })),
  'GET /cluster/firewall/macros': () => [...macros].map((macro) => ({ macro, descr: `${macro} traffic` })),
  'GET /cluster/firewall/refs': refs,
  [`GET ${vm}/refs`]: refs,
}
