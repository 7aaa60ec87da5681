import { readFile } from 'node:fs/promises'
import { reasonOf, UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { resolveFile } from '../inventory/referenced-files.js'
import { parseEndpoint } from '../proxmox/client/transport/endpoint.js'
import { createSilenceNotice } from '../proxmox/client/transport/silence-notice.js'
import { fetchFingerprint, type Trust } from '../proxmox/client/transport/trust.js'
import type { Dialer } from '../reach/dialer.js'
import { formatTarget, ReachError } from '../reach/reach-error.js'
import { secureConnect } from '../reach/tls.js'
import type { StateFile } from './state-folder.js'

/** Shown to the user, who decides whether this is the intended host. */
export interface UnknownHost {
  /** `10.0.10.1:8006`. */
  readonly host: string
  /** SHA-256 of its certificate. */
  readonly fingerprint: string
}

export interface TrustOptions {
  readonly dialer: Dialer
  /** Where the user's confirmation is stored, by host. */
  readonly memory: StateFile
  /** Called once per host; without it, an unknown host is refused. */
  readonly askTrust?: (unknown: UnknownHost) => Promise<boolean>
  /** Receives notices while a host does not respond. */
  readonly notify?: (text: string) => void
  /** Of the certificate that was confirmed for these endpoints. */
  readonly fingerprint?: string
}

const probeTimeoutMs = 10_000

/** As specified in the inventory, which may leave it to this computer. */
export async function declaredTrust(inventory: Inventory): Promise<Trust | undefined> {
  const { settings, folder } = inventory
  const { fingerprint, ca, insecure } = settings.proxmox
  if (fingerprint !== undefined) return { kind: 'fingerprint', sha256: fingerprint }
  if (ca !== undefined) return { kind: 'ca', pem: await readAuthority(resolveFile(folder, ca), inventory) }
  return insecure ? { kind: 'insecure' } : undefined
}

/**
 * As specified in the inventory; otherwise what was trusted before, the CAs of this computer, or what the user trusts
 * now.
 */
export async function proxmoxTrust(inventory: Inventory, options: TrustOptions): Promise<Trust> {
  const { endpoints } = inventory.settings.proxmox
  const declared = await declaredTrust(inventory)
  if (declared !== undefined) return declared
  if (options.fingerprint !== undefined) return { kind: 'fingerprint', sha256: options.fingerprint }
  const known = await recallPins(options.memory)
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

/** Without a certificate in it, TLS would fall back to the CAs of this computer. */
async function readAuthority(path: string, { where }: Inventory): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new UsageError(`The authority of Proxmox cannot be read: ${reasonOf(thrown)}.`, {
      where: where('proxmox.ca'),
      fix: 'Correct the path, or copy /etc/pve/pve-root-ca.pem of a host there.',
    })
  })
  if (/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(pem)) return pem
  throw new UsageError(`${path} holds no certificate.`, {
    where: where('proxmox.ca'),
    fix: 'Copy /etc/pve/pve-root-ca.pem of a host there, or set proxmox.fingerprint in its place.',
  })
}

/** The verdict of this computer's CAs; `undefined` if the host does not respond. */
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
  { where }: Inventory,
  { dialer, askTrust, memory }: TrustOptions,
): Promise<Trust> {
  const fingerprint = await fetchFingerprint(endpoint, dialer, AbortSignal.timeout(probeTimeoutMs))
  const isTrusted = (await askTrust?.({ host, fingerprint })) ?? false
  if (!isTrusted) {
    throw new UsageError(
      `The certificate of ${host} is not signed by an authority that this computer trusts; its fingerprint is ${fingerprint}.`,
      {
        where: where('proxmox'),
        fix: `Compare it with the one under System, Certificates of that host in Proxmox, and write it as proxmox.fingerprint; or name the authority's file as proxmox.ca.`,
      },
    )
  }
  await memory.write({ ...(await recallPins(memory)), [host]: fingerprint })
  return { kind: 'fingerprint', sha256: fingerprint }
}

/** A damaged list is ignored: the user is asked again. */
async function recallPins(memory: StateFile): Promise<Readonly<Record<string, string>>> {
  const kept = await memory.read()
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter(([, pin]) => typeof pin === 'string'))
}
