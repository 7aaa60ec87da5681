import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileError, UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { resolveFile } from '../inventory/referenced-files.js'
import { parseEndpoint } from '../proxmox/client/transport/endpoint.js'
import { createSilenceNotice } from '../proxmox/client/transport/silence-notice.js'
import { fetchFingerprint, type Trust } from '../proxmox/client/transport/trust.js'
import type { Dialer } from '../reach/dialer.js'
import { formatTarget, ReachError } from '../reach/reach-error.js'
import { secureConnect } from '../reach/tls.js'
import { writeDurably } from '../secrets/durable-file.js'

/** Shown to a person who decides whether this is the host that they mean. */
export interface UnknownHost {
  /** `10.0.10.1:8006`. */
  readonly host: string
  /** SHA-256 of its certificate. */
  readonly fingerprint: string
}

export interface TrustOptions {
  readonly dialer: Dialer
  /** Asked once for each host; without anybody to ask, an unknown host is refused. */
  readonly askTrust?: (unknown: UnknownHost) => Promise<boolean>
  /** What a person should know while a host does not answer. */
  readonly notify?: (text: string) => void
}

const probeTimeoutMs = 10_000

/** As the inventory says; else what was trusted before, the authorities of this computer, or what a person trusts now. */
export async function proxmoxTrust(inventory: Inventory, options: TrustOptions): Promise<Trust> {
  const { settings, folder } = inventory
  const { fingerprint, ca, insecure, endpoints } = settings.proxmox
  if (fingerprint !== undefined) return { kind: 'fingerprint', sha256: fingerprint }
  if (ca !== undefined) return { kind: 'ca', pem: await readFile(resolveFile(folder, ca), 'utf8') }
  if (insecure) return { kind: 'insecure' }
  const known = await readKnownHosts(folder)
  const watchSilence = createSilenceNotice(options.notify ?? (() => {}))
  for (const endpoint of endpoints) {
    const host = formatTarget(parseEndpoint(endpoint))
    const remembered = known[host]
    if (remembered !== undefined) return { kind: 'fingerprint', sha256: remembered }
    const verdict = await watchSilence(host, 'the TLS handshake', () => probe(endpoint, options.dialer))
    if (verdict === 'trusted') break
    if (verdict === 'untrusted') return trustOnFirstUse(endpoint, host, inventory, options)
  }
  return { kind: 'system' }
}

/** What the authorities of this computer say; nothing, when the host does not answer. */
async function probe(endpoint: string, dialer: Dialer): Promise<'trusted' | 'untrusted' | 'silent'> {
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs)
    const secured = await secureConnect(dialer, parseEndpoint(endpoint), { trust: {} }, signal)
    secured.destroy()
    return 'trusted'
  } catch (thrown) {
    return thrown instanceof ReachError && thrown.reason === 'untrusted' ? 'untrusted' : 'silent'
  }
}

async function trustOnFirstUse(
  endpoint: string,
  host: string,
  { folder, where }: Inventory,
  { dialer, askTrust }: TrustOptions,
): Promise<Trust> {
  const fingerprint = await fetchFingerprint(endpoint, dialer, AbortSignal.timeout(probeTimeoutMs))
  const isTrusted = (await askTrust?.({ host, fingerprint })) ?? false
  if (!isTrusted) {
    throw new UsageError(
      `No authority that this computer trusts vouches for ${host}; its fingerprint is ${fingerprint}.`,
      {
        where: where('proxmox'),
        fix: `Compare it with the one under System, Certificates of that host in Proxmox, and write it as proxmox.fingerprint; or name the authority's file as proxmox.ca.`,
      },
    )
  }
  await writeDurably(
    knownHostsFile(folder),
    `${JSON.stringify({ ...(await readKnownHosts(folder)), [host]: fingerprint }, null, 2)}\n`,
  )
  return { kind: 'fingerprint', sha256: fingerprint }
}

function knownHostsFile(folder: string): string {
  return join(folder, '.ichor', 'known-hosts.json')
}

async function readKnownHosts(folder: string): Promise<Readonly<Record<string, string>>> {
  const path = knownHostsFile(folder)
  const text = await readFile(path, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as Record<string, string>
  } catch (cause) {
    throw new FileError('The file of known hosts cannot be read.', {
      where: path,
      fix: 'Repair it, or delete it and compare the fingerprints again.',
      cause,
    })
  }
}
