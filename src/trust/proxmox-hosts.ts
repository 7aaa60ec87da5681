import { createHash } from 'node:crypto'
import type { KnownHost } from '../proxmox/client/transport/endpoints.js'
import type { Trust } from '../proxmox/client/transport/trust.js'
import type { StateFile } from './state-folder.js'

/** The other hosts of a Proxmox cluster, in case the one in the inventory fails. */
export interface HostMemory {
  readonly hosts: readonly KnownHost[]
  remember(hosts: readonly KnownHost[]): Promise<void>
}

/** The source of a list of hosts: it is ignored if the endpoints, or the reason to trust them, differ. */
export interface LearnedFrom {
  readonly endpoints: readonly string[]
  readonly trust: Trust
}

/** What earlier runs learned about that cluster. */
export async function recallHosts(file: StateFile, source: LearnedFrom): Promise<HostMemory> {
  const from = { endpoints: source.endpoints.join(' '), pin: pinOf(source.trust) }
  const kept = (await file.read()) as Partial<typeof from & { hosts: unknown }> | undefined
  const isOurs = kept?.endpoints === from.endpoints && kept.pin === from.pin
  const hosts = isOurs && Array.isArray(kept?.hosts) ? kept.hosts.filter(isKnownHost) : []
  return {
    hosts,
    remember: async (learned) => {
      if (JSON.stringify(learned) !== JSON.stringify(hosts)) await file.write({ ...from, hosts: learned })
    },
  }
}

function pinOf(trust: Trust): string {
  if (trust.kind === 'fingerprint') return trust.sha256
  return trust.kind === 'ca' ? `ca ${createHash('sha256').update(trust.pem).digest('hex')}` : trust.kind
}

function isKnownHost(value: unknown): value is KnownHost {
  const { address, port, sha256 } = (value ?? {}) as Record<string, unknown>
  return typeof address === 'string' && typeof port === 'number' && typeof sha256 === 'string'
}
