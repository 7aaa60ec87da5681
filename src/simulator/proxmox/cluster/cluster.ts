import { badParameters, died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, may, type Routes } from '../http/call.js'
import { isListed } from '../quorum.js'
import { splitList } from '../schema/formats.js'
import { allowedTags } from '../vm/tag-rights.js'

function status({ datacenter, entry }: Call): unknown[] {
  const { state } = datacenter
  const hosts = Object.values(state.hosts)
  const nodes = hosts.map((host) => ({
    type: 'node',
    id: `node/${host.name}`,
    name: host.name,
    nodeid: hosts.length === 1 ? 0 : host.nodeid,
    ip: host.address,
    local: host.name === entry ? 1 : 0,
    online: isListed(datacenter, host) ? 1 : 0,
    level: '',
  }))
  if (hosts.length === 1) return nodes
  return [
    {
      type: 'cluster',
      id: 'cluster',
      name: state.clusterName,
      nodes: hosts.length,
      version: hosts.length,
      quorate: state.quorate ? 1 : 0,
    },
    ...nodes,
  ]
}

function range({ state }: Datacenter): [number, number] {
  const options = state.options['next-id'] ?? ''
  return [Number(/lower=(\d+)/.exec(options)?.[1] ?? 100), Number(/upper=(\d+)/.exec(options)?.[1] ?? 1_000_000)]
}

/** Text, although the schema declares an integer. */
function nextId(call: Call): string {
  const { datacenter } = call
  const vmid = find(call, 'vmid')
  const { vms } = datacenter.state
  if (vmid !== undefined) {
    if (vms[vmid] !== undefined) throw badParameters({ vmid: `VM ${vmid} already exists` })
    return vmid
  }
  const [lower, upper] = range(datacenter)
  for (let id = lower; id < upper; id++) if (vms[String(id)] === undefined) return String(id)
  throw died(`unable to get any free VMID in range [${lower}, ${upper}]`)
}

function options(call: Call): unknown {
  const { datacenter } = call
  const { options: set } = datacenter.state
  const tags = allowedTags(call)
  if (!may(call, '/', ['Sys.Audit'])) return { 'allowed-tags': tags }
  const shown: Record<string, unknown> = { mac_prefix: 'BC:24:11', description: '', 'allowed-tags': tags }
  for (const [key, value] of Object.entries(set)) shown[key] = showOption(key, value)
  return shown
}

const structured = new Set([
  'next-id',
  'tag-style',
  'user-tag-access',
  'migration',
  'ha',
  'crs',
  'u2f',
  'webauthn',
  'notify',
  'bwlimit',
])

function showOption(key: string, value: string): unknown {
  if (key === 'registered-tags') return splitList(value)
  if (!structured.has(key)) return value
  const entries = value.split(',').map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string])
  return Object.fromEntries(entries.map(([name, text]) => [name, name === 'user-allow-list' ? splitList(text) : text]))
}

function setOptions(call: Call): null {
  const { parameters, datacenter } = call
  for (const key of splitList(find(call, 'delete') ?? '')) delete datacenter.state.options[key]
  for (const [key, value] of Object.entries(parameters))
    if (key !== 'delete') datacenter.state.options[key] = String(value)
  return null
}

const subdirectories =
  'acme backup backup-info ceph config firewall ha jobs log mapping metrics notifications nextid options replication resources status tasks sdn'

export const clusterRoutes: Routes = {
  'GET /cluster': ({ datacenter }) =>
    [...subdirectories.split(' '), ...(datacenter.pve === 9 ? ['bulk-action', 'qemu'] : [])].map((name) => ({ name })),
  'GET /cluster/status': status,
  'GET /cluster/nextid': nextId,
  'GET /cluster/options': options,
  'PUT /cluster/options': setOptions,
}
