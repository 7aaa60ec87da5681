import { nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { type Call, flag, may, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { Section } from '../state.js'
import { sectionDigest, sectionsOf } from './sections.js'

interface Kind {
  readonly kind: string
  readonly key: string
  readonly noun: string
}

const zone: Kind = { kind: 'zones', key: 'zone', noun: 'sdn zone object' }
const vnet: Kind = { kind: 'vnets', key: 'vnet', noun: 'sdn vnet object' }

function appliedOf(call: Call, { kind }: Kind): Record<string, Section> {
  return sectionsOf(call.datacenter, `applied-${kind}`)
}

function list(kind: Kind) {
  return (call: Call) => {
    const all = sectionsOf(call.datacenter, kind.kind)
    const digest = sectionDigest(all)
    return Object.entries(all)
      .filter(([id, section]) =>
        may(call, `/sdn/zones/${String(section.zone ?? id)}`, ['SDN.Audit', 'SDN.Allocate'], true),
      )
      .map(([id, section]) =>
        flag(call, 'pending') ? pending(call, kind, id, section) : { ...section, [kind.key]: id, digest },
      )
  }
}

function pending(call: Call, kind: Kind, id: string, { type, ...options }: Section): Record<string, unknown> {
  if (appliedOf(call, kind)[id] !== undefined) return { [kind.key]: id, type, ...options }
  return { [kind.key]: id, type, digest: null, state: 'new', pending: options }
}

function get(call: Call, { kind, key }: Kind, prefix = ''): [string, Section] {
  const id = text(call, key)
  const section = sectionsOf(call.datacenter, kind)[id]
  if (section === undefined) throw died(`${prefix}${kind === 'zones' ? 'sdn' : 'vnet'} '${id}' does not exist`)
  return [id, section]
}

function create(kind: Kind) {
  return (call: Call) => {
    const all = sectionsOf(call.datacenter, kind.kind)
    const id = text(call, kind.key)
    if (all[id] !== undefined) throw died(`${kind.noun} ID '${id}' already defined`)
    const { [kind.key]: _id, type, 'lock-token': _lock, ...options } = call.parameters as Record<string, string>
    if (kind === vnet && sectionsOf(call.datacenter, 'zones')[options.zone ?? ''] === undefined)
      throw died(
        'create sdn vnet object failed: cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Network/SDN/Vnets.pm line 232.',
      )
    all[id] = { type: type ?? 'vnet', ...options }
    return null
  }
}

function update(kind: Kind) {
  return (call: Call) => {
    const [, section] = get(call, kind, `update ${kind.noun} failed: `)
    const {
      [kind.key]: _id,
      type: _type,
      delete: removed = '',
      digest: _digest,
      'lock-token': _lock,
      ...options
    } = call.parameters as Record<string, string>
    for (const key of splitList(removed)) delete section[key]
    Object.assign(section, options)
    return null
  }
}

function remove(kind: Kind) {
  return (call: Call) => {
    const [id] = get(call, kind, `delete ${kind.noun} failed: `)
    const user =
      kind === zone
        ? Object.entries(sectionsOf(call.datacenter, 'vnets')).find(([, section]) => section.zone === id)
        : undefined
    if (user !== undefined)
      throw died(
        `delete sdn zone object failed: zone ${id} is used by vnet ${user[0]} at /usr/share/perl5/PVE/Network/SDN/Zones/Plugin.pm line 159.`,
      )
    delete sectionsOf(call.datacenter, kind.kind)[id]
    return null
  }
}

function routesAt(base: string, kind: Kind): Routes {
  return {
    [`GET ${base}`]: list(kind),
    [`POST ${base}`]: create(kind),
    [`GET ${base}/{${kind.key}}`]: (call) => {
      const [id, section] = get(call, kind)
      return { ...section, [kind.key]: id, digest: sectionDigest(sectionsOf(call.datacenter, kind.kind)) }
    },
    [`PUT ${base}/{${kind.key}}`]: update(kind),
    [`DELETE ${base}/{${kind.key}}`]: remove(kind),
  }
}

/** Nothing is active before it is applied. */
function apply(call: Call): string {
  const { datacenter, entry, identity } = call
  return datacenter.tasks.start(
    { host: entry, type: 'reloadnetworkall', id: '', user: nameOf(identity) },
    async (worker) => {
      await worker.sleep(2000)
      for (const kind of [zone, vnet])
        datacenter.state.sections[`applied-${kind.kind}`] = structuredClone(sectionsOf(datacenter, kind.kind))
    },
  )
}

function subnets(call: Call): Record<string, Section> {
  return sectionsOf(call.datacenter, `subnets-${text(call, 'vnet')}`)
}

const subnetBase = '/cluster/sdn/vnets/{vnet}/subnets'

export const sdnRoutes: Routes = {
  'GET /cluster/sdn': ({ datacenter }) =>
    ['vnets', 'zones', 'controllers', 'ipams', 'dns', ...(datacenter.pve === 9 ? ['fabrics'] : [])].map((id) => ({
      id,
    })),
  'PUT /cluster/sdn': apply,
  ...routesAt('/cluster/sdn/zones', zone),
  ...routesAt('/cluster/sdn/vnets', vnet),
  [`GET ${subnetBase}`]: (call) =>
    Object.entries(subnets(call)).map(([subnet, section]) => ({ subnet, ...section, vnet: text(call, 'vnet') })),
  [`POST ${subnetBase}`]: (call) => {
    const zoneName = String(sectionsOf(call.datacenter, 'vnets')[text(call, 'vnet')]?.zone ?? '')
    const { vnet: _vnet, subnet, type, ...options } = call.parameters as Record<string, string>
    subnets(call)[`${zoneName}-${(subnet ?? '').replace('/', '-')}`] = {
      type: type ?? 'subnet',
      cidr: subnet ?? '',
      ...options,
    }
    return null
  },
  [`DELETE ${subnetBase}/{subnet}`]: (call) => {
    delete subnets(call)[text(call, 'subnet')]
    return null
  },
  'GET /nodes/{node}/sdn/zones': (call) =>
    Object.keys(appliedOf(call, zone)).map((name) => ({ zone: name, status: 'available' })),
}
