import { createHash, createHmac } from 'node:crypto'

/** One line of a known_hosts file. */
export interface KnownHost {
  /** `undefined` for a line without a marker. */
  readonly marker: 'revoked' | 'cert-authority' | undefined
  /** Names and patterns, or one hashed name. */
  readonly hosts: readonly string[]
  readonly keyType: string
  /** The public key as SSH sends it. */
  readonly key: Buffer
  /** `/home/me/.ssh/known_hosts:12`. */
  readonly where: string
}

/** Lines that cannot be parsed are skipped, as in OpenSSH. */
export function parseKnownHosts(text: string, file: string): KnownHost[] {
  return text.split('\n').flatMap((line, index) => {
    const words = line.trim().split(/\s+/)
    const marker = words[0]?.startsWith('@') ? words.shift()?.slice(1) : undefined
    const [hosts, keyType, key] = words
    if (hosts === undefined || hosts.startsWith('#') || keyType === undefined || key === undefined) return []
    if (marker !== undefined && marker !== 'revoked' && marker !== 'cert-authority') return []
    const where = `${file}:${index + 1}`
    return [{ marker, hosts: hosts.split(','), keyType, key: Buffer.from(key, 'base64'), where }]
  })
}

export type HostKeyVerdict =
  | { is: 'known' }
  | { is: 'unknown' }
  | { is: 'changed'; where: string }
  | { is: 'revoked'; where: string }

/** The verdict of the files about a host's key. A revocation takes precedence. */
export function judgeHostKey(known: readonly KnownHost[], host: string, port: number, key: Buffer): HostKeyVerdict {
  const about = known.filter((entry) => speaksOf(entry, host, port))
  const revoked = about.find((entry) => entry.marker === 'revoked' && entry.key.equals(key))
  if (revoked !== undefined) return { is: 'revoked', where: revoked.where }
  const vouching = about.filter((entry) => entry.marker === undefined)
  if (vouching.some((entry) => entry.key.equals(key))) return { is: 'known' }
  const other = vouching.find((entry) => entry.keyType === keyTypeOf(key)) ?? vouching[0]
  return other === undefined ? { is: 'unknown' } : { is: 'changed', where: other.where }
}

/** Known key types of a host, so that one of those is requested and not an unknown one. */
export function knownKeyTypes(known: readonly KnownHost[], host: string, port: number): string[] {
  const about = known.filter((entry) => entry.marker === undefined && speaksOf(entry, host, port))
  return [...new Set(about.map((entry) => entry.keyType))]
}

/** `SHA256:…`, as ssh-keygen prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

/** The type in the key itself: a length and a name at its start. */
export function keyTypeOf(key: Buffer): string {
  return key.length < 4 ? '' : key.subarray(4, 4 + key.readUInt32BE(0)).toString()
}

/** A host as written in known_hosts: with the port unless it is 22. */
export function knownHostName(host: string, port: number): string {
  return port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`
}

function speaksOf(entry: KnownHost, host: string, port: number): boolean {
  const name = knownHostName(host, port)
  const patterns = entry.hosts.map((pattern) => ({
    excludes: pattern.startsWith('!'),
    text: pattern.replace(/^!/, ''),
  }))
  const hits = patterns.filter(({ text }) => matchesHost(text, name))
  return hits.length > 0 && !hits.some(({ excludes }) => excludes)
}

function matchesHost(pattern: string, name: string): boolean {
  if (!pattern.startsWith('|1|')) return wildcard(pattern.toLowerCase()).test(name)
  const [, , salt = '', hash = ''] = pattern.split('|')
  const expected = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64')
  return expected === hash
}

function wildcard(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`)
}
