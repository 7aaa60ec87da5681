/** Keys whose numbers depend on the machine or the moment. */
const volatileNumbers = new Set([
  'pid',
  'pstart',
  'starttime',
  'endtime',
  'ctime',
  'time',
  'uptime',
  'mem',
  'memhost',
  'cpu',
  'netin',
  'netout',
  'diskread',
  'diskwrite',
  'avail',
  'used',
  'used_fraction',
  'free',
  'available',
  'snaptime',
  'localtime',
  'idle',
  'wait',
  'loadavg',
  'disk',
  'timestamp',
  'uid',
  'rx-bytes',
  'rx-packets',
  'tx-bytes',
  'tx-packets',
])
/** Keys whose size depends on the computer that was recorded. */
const hostSizes = new Set(['total', 'maxdisk', 'maxmem', 'maxcpu', 'mhz', 'cpus', 'shared'])

/** What the daemons of HA call the orders that they give. */
const drawnName = /^(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9+/]{22}$/
const hex40 = /\b[0-9a-f]{40}\b/g
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const upid = /UPID:[\w-]+:[0-9A-F]{8}:[0-9A-F]{8,9}:[0-9A-F]{8}:/g

/** A text with its volatile parts replaced by what they are. */
export function normaliseText(text: string): string {
  return text
    .replace(upid, 'UPID:<when>:')
    .replace(hex40, '<digest>')
    .replace(uuid, '<uuid>')
    .replace('<secret uuid, 36 characters>', '<uuid>')
    .replace(/[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}/g, '<time>')
    .replace(/BC:24:11(:[0-9A-F]{2}){3}/g, '<mac>')
    .replace(/pveupload-[0-9a-f]{32}/g, 'pveupload-<name>')
    .replace(/tmp_dwnl\.[0-9A-F]+/g, 'tmp_dwnl.<pid>')
    .replace(/ctime=\d+/g, 'ctime=<time>')
    .replace(/http:\/\/127\.0\.0\.1:(8080|\d{5})/g, 'http://<files>')
    .replace(/127\.0\.0\.1:(8080|\d{5})/g, '<files>')
    .replace(/creation-qemu=[\d.]+/g, 'creation-qemu=<version>')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>')
    .replace(/PVE:([^:]+):[0-9A-F]{8}::.*/g, 'PVE:$1:<ticket>')
    .replace(/^[0-9A-F]{8}:\S+$/, '<csrf>')
    .replace(/at \/usr\/share\/perl5\/(\S+) line \d+/g, 'at $1')
    .replace(/boundary=\S+?(?=['" ]|$)/g, 'boundary=<boundary>')
}

/** The parts of a body that must agree: most lists are sets, numbers of the moment are shapes. */
export function normalise(value: unknown, key = ''): unknown {
  if (
    volatileNumbers.has(key) &&
    (typeof value === 'number' || (typeof value === 'string' && /^[\d.]+$/.test(value)) || Array.isArray(value))
  )
    return '<number>'
  if (key === 'result' && typeof value === 'number' && value > 1e18) return '<nanoseconds>'
  if (typeof value === 'string') return normaliseString(value, key)
  if (Array.isArray(value)) return normaliseList(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .map(
      ([name, inner]) =>
        [
          name.replace(drawnName, '<drawn>'),
          hostSizes.has(name) && isHostSize(value, name) ? '<size>' : normalise(inner, name),
        ] as const,
    )
    .sort(([a], [b]) => a.localeCompare(b))
  return Object.fromEntries(entries)
}

/** Storages and hosts are as large as they are; disks and VMs are as large as they were asked for. */
function isHostSize(owner: object, name: string): boolean {
  if (name === 'total') return 'avail' in owner || 'free' in owner || 'data' in owner
  if (name === 'shared') return !('type' in owner) && !('storage' in owner)
  const type = (owner as { type?: unknown }).type
  return type === 'node' || type === 'storage'
}

function normaliseString(value: string, key: string): string {
  if (key === 'content' && /^[a-z]+(,[a-z]+)*$/.test(value)) return value.split(',').sort().join(',')
  if (key === 'ssl_fingerprint' || key === 'fingerprint') return '<fingerprint>'
  if (key === 'pem' || key === 'cert') return '<pem>'
  if (key === 'id' && /^\d+:pve$/.test(value)) return '<number>:pve'
  if (key === 'uid') return value.replace(drawnName, '<drawn>')
  if (key === 'privs') return value.split(/[, ]+/).sort().join(',')
  return normaliseText(value)
}

function normaliseList(list: readonly unknown[]): unknown[] {
  if (list.every((line) => typeof line === 'object' && line !== null && 'n' in line && 't' in line))
    return normaliseLog(list as unknown as readonly { t: string }[])
  if (list.every(hasItsPlace)) return list.map((item) => normalise(item))
  return list
    .map((item) => normalise(item))
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ item }) => item)
}

/** Tasks come newest first, rules in their order; other lists come in the order of a hash. */
function hasItsPlace(item: unknown): boolean {
  return typeof item === 'object' && item !== null && ('upid' in item || 'pos' in item)
}

const progress =
  /^(transferred |\s*\d+K[ .]|Length: |Saving to: |<time> \(|\s*$|drive-|mirror-|Connecting to |HTTP request sent|--<time>--)/

/** Logs agree when they say the same; how often progress is reported depends on the speed of the disk. */
function normaliseLog(lines: readonly { t: string }[]): string[] {
  return lines.map(({ t }) => normaliseText(t).trim()).filter((line) => line !== '' && !progress.test(line))
}
