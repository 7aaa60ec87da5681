import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KnownHost } from '../proxmox/client/transport/endpoints.js'
import { writeDurably } from '../secrets/durable-file.js'

/** The other hosts of a Proxmox cluster, so that the one that the inventory names may be the dead one. */
export interface HostMemory {
  readonly hosts: readonly KnownHost[]
  remember(hosts: readonly KnownHost[]): Promise<void>
}

/**
 * What runs before this one learned of that cluster. Losing the file loses nothing but the way round a dead host, so it
 * never stops a run: not when it cannot be read, not when it cannot be written.
 */
export async function recallHosts(path: string, cluster: string): Promise<HostMemory> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  return {
    hosts: hostsIn(text, cluster),
    remember: async (hosts) => {
      const wanted = `${JSON.stringify({ cluster, hosts }, null, 2)}\n`
      if (wanted !== text) await writeDurably(path, wanted).catch(() => undefined)
    },
  }
}

/** Those of a lab are never those of the real cluster. */
export function hostsFile(folder: string, isLab: boolean): string {
  return join(folder, '.ichor', isLab ? 'proxmox-hosts.lab.json' : 'proxmox-hosts.json')
}

function hostsIn(text: string, cluster: string): readonly KnownHost[] {
  try {
    const kept = JSON.parse(text) as { cluster?: unknown; hosts?: unknown }
    return kept.cluster === cluster && Array.isArray(kept.hosts) ? kept.hosts.filter(isKnownHost) : []
  } catch {
    return []
  }
}

function isKnownHost(value: unknown): value is KnownHost {
  const { address, port, sha256 } = (value ?? {}) as Record<string, unknown>
  return typeof address === 'string' && typeof port === 'number' && typeof sha256 === 'string'
}
