import { badParameters, died } from '../api-error.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import { namedFormats } from '../schema/named-formats.js'
import { parsePropertyString } from '../schema/property-string.js'
import type { Section } from '../state.js'
import { sectionDigest, sectionsOf } from './sections.js'

const flags = new Set(['enabled', 'all', 'protected', 'remove', 'quiet', 'repeat-missed', 'stdexcludes'])

/** Written as strings and returned as objects: `decode_value` of `PVE::VZDump::JobBase`. */
const objects: Readonly<Record<string, string>> = {
  'prune-backups': 'prune-backups',
  fleecing: 'backup-fleecing',
  performance: 'backup-performance',
}

function showJob(id: string, section: Section): Record<string, unknown> {
  return { id, ...Object.fromEntries(Object.entries(section).map(([key, value]) => [key, showOption(key, value)])) }
}

function showOption(key: string, value: Section[string]): unknown {
  const format = namedFormats[objects[key] ?? '']
  if (format !== undefined) return parsePropertyString(format, String(value))
  return flags.has(key) ? Number(value) : value
}

const dayMs = 24 * 3_600_000

/** `PVE::API2::Backup` adds it to the list alone, in seconds. Of calendar events only a daily time is simulated. */
function nextRun(schedule: string, now: number): { 'next-run'?: number } {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(schedule === 'daily' ? '00:00' : schedule) ?? []
  if (hours === undefined) return {}
  const today = now - (now % dayMs) + (Number(hours) * 60 + Number(minutes)) * 60_000
  return { 'next-run': (today > now ? today : today + dayMs) / 1000 }
}

function getJob(call: Call): [string, Section] {
  const id = text(call, 'id')
  const job = sectionsOf(call.datacenter, 'backup')[id]
  if (job === undefined) throw badParameters({ id: `No such job '${id}'` })
  return [id, job]
}

function optionsIn({ parameters }: Call): Record<string, string> {
  const { id: _id, delete: _delete, digest: _digest, ...options } = parameters
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [key, String(value)]))
}

function createJob(call: Call): null {
  const options = optionsIn(call)
  if (options.all === '1' && options.vmid !== undefined)
    throw died("400 Parameter verification failed.\nall: option conflicts with option 'vmid'")
  const id = find(call, 'id') ?? `backup-${call.datacenter.random.hex(8)}-${call.datacenter.random.hex(4)}`
  const jobs = sectionsOf(call.datacenter, 'backup')
  if (jobs[id] !== undefined) throw died(`Job '${id}' already exists`)
  jobs[id] = { type: 'vzdump', ...options }
  return null
}

const jobRoutes: Routes = {
  'GET /cluster/backup': ({ datacenter }) =>
    Object.entries(sectionsOf(datacenter, 'backup')).map(([id, section]) => ({
      ...showJob(id, section),
      ...nextRun(String(section.schedule ?? ''), datacenter.clock.now()),
    })),
  'POST /cluster/backup': createJob,
  'GET /cluster/backup/{id}': (call) => showJob(...getJob(call)),
  'PUT /cluster/backup/{id}': (call) => {
    const [, job] = getJob(call)
    for (const key of splitList(find(call, 'delete') ?? '')) delete job[key]
    Object.assign(job, optionsIn(call))
    return null
  },
  'DELETE /cluster/backup/{id}': (call) => {
    const [id] = getJob(call)
    delete sectionsOf(call.datacenter, 'backup')[id]
    return null
  },
  'GET /cluster/backup-info': () => [{ subdir: 'not-backed-up' }],
  'GET /cluster/backup-info/not-backed-up': notBackedUp,
}

function notBackedUp({ datacenter }: Call): unknown[] {
  const jobs = Object.values(sectionsOf(datacenter, 'backup'))
  const isCovered = (vmid: number) =>
    jobs.some((job) => job.all === '1' || splitList(String(job.vmid ?? '')).includes(String(vmid)))
  return Object.values(datacenter.state.vms)
    .filter(({ vmid }) => !isCovered(vmid))
    .map(({ vmid, config }) => ({ vmid, type: 'qemu', ...(config.name === undefined ? {} : { name: config.name }) }))
}

/** PCI devices and directories that VMs reference by name instead of a path on a host. */
function mappingRoutes(kind: 'pci' | 'dir'): Routes {
  const base = `/cluster/mapping/${kind}`
  const get = (call: Call): [string, Section] => {
    const id = text(call, 'id')
    const mapping = sectionsOf(call.datacenter, kind)[id]
    if (mapping === undefined) throw died(`mapping '${id}' not found`)
    return [id, mapping]
  }
  const show = (call: Call, id: string, { type: _type, ...section }: Section) => ({
    id,
    type: kind,
    ...section,
    digest: sectionDigest(sectionsOf(call.datacenter, kind)),
  })
  return {
    [`GET ${base}`]: (call) =>
      Object.entries(sectionsOf(call.datacenter, kind)).map(([id, section]) => ({
        ...show(call, id, section),
        ...(find(call, 'check-node') === undefined ? {} : { checks: [] }),
      })),
    [`POST ${base}`]: (call) => {
      const all = sectionsOf(call.datacenter, kind)
      const id = text(call, 'id')
      if (all[id] !== undefined) throw died(`${kind} ID '${id}' already defined`)
      const { id: _id, ...options } = call.parameters
      all[id] = { type: kind, ...options }
      return null
    },
    [`GET ${base}/{id}`]: (call) => show(call, ...get(call)),
    [`PUT ${base}/{id}`]: (call) => {
      const [, mapping] = get(call)
      const { id: _id, delete: removed, digest: _digest, ...options } = call.parameters
      for (const key of splitList(String(removed ?? ''))) delete mapping[key]
      Object.assign(mapping, options)
      return null
    },
    [`DELETE ${base}/{id}`]: (call) => {
      delete sectionsOf(call.datacenter, kind)[text(call, 'id')]
      return null
    },
  }
}

function createReplication(call: Call): null {
  const target = text(call, 'target')
  const id = text(call, 'id')
  const hosts = Object.keys(call.datacenter.state.hosts)
  if (hosts.length === 1 || !hosts.includes(target)) throw died(`Target '${target}' does not exist.`)
  sectionsOf(call.datacenter, 'replication')[id] = { type: 'local', ...optionsIn(call) }
  return null
}

export const jobsRoutes: Routes = {
  ...jobRoutes,
  'GET /cluster/mapping': () => ['pci', 'usb', 'dir'].map((name) => ({ name })),
  ...mappingRoutes('pci'),
  ...mappingRoutes('dir'),
  'GET /cluster/replication': ({ datacenter }) =>
    Object.entries(sectionsOf(datacenter, 'replication')).map(([id, section]) => ({ id, ...section })),
  'POST /cluster/replication': createReplication,
  'GET /cluster/jobs': () => ['schedule-analyze', 'realm-sync'].map((subdir) => ({ subdir })),
  'GET /cluster/metrics/server': () => [],
  'GET /cluster/config': () => ['nodes', 'totem', 'join', 'qdevice', 'apiversion'].map((name) => ({ name })),
}
