import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { familyOf } from '../../cluster/address.js'
import { FileError, reasonOf } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { resolveFile } from '../../inventory/referenced-files.js'
import type { World } from '../../world.js'

/** The Proxmox calls needed here. */
export interface TrustedProxmox {
  readonly hosts: Pick<World['proxmox']['hosts'], 'certificates'>
  readonly trust: World['proxmox']['trust']
}

type Shown = Awaited<ReturnType<TrustedProxmox['hosts']['certificates']>>

/**
 * The certificates, as PEM, with which controllers in the cluster verify Proxmox: they trust what ichor trusts. They
 * cannot compare a fingerprint, so the certificate behind it is read over the connection that it secures. Empty for a
 * public CA, or if verification is off.
 */
export async function proxmoxAuthority(
  inventory: Inventory,
  { proxmox, isLab }: { readonly proxmox?: TrustedProxmox | undefined; readonly isLab: boolean },
): Promise<string | undefined> {
  const { ca } = inventory.settings.proxmox
  if (ca !== undefined) return readAuthority(ca, inventory)
  if (proxmox?.trust.kind !== 'fingerprint') return undefined
  const shown = await proxmox.hosts.certificates('localhost', AbortSignal.timeout(30_000))
  const pinned = findPinned(shown, proxmox.trust.sha256)
  if (pinned !== undefined && !isLab) refuseOtherName(new X509Certificate(pinned.pem), inventory)
  return authorityAmong(shown, pinned)
}

async function readAuthority(ca: string, { folder, where }: Inventory): Promise<string> {
  return readFile(resolveFile(folder, ca), 'utf8').catch((thrown: unknown) => {
    const place = { where: where('proxmox.ca'), fix: 'Write the path of a CA certificate in PEM.' }
    throw new FileError(`The CA certificate ${ca} cannot be read: ${reasonOf(thrown)}.`, place)
  })
}

/** Another host of the cluster may have responded, with its own certificate. */
function findPinned(shown: Shown, fingerprint: string): Shown[number] | undefined {
  const digits = (text: string) =>
    text
      .replace(/^sha-?256[:=]/i, '')
      .replace(/[^0-9a-f]/gi, '')
      .toLowerCase()
  return shown.find(({ pem }) => digits(new X509Certificate(pem).fingerprint256) === digits(fingerprint))
}

/** A custom certificate of the site is used directly; one issued by the Proxmox cluster is renewed under its CA. */
function authorityAmong(shown: Shown, pinned: Shown[number] | undefined): string | undefined {
  const named = (name: string) => shown.find(({ filename }) => filename === name)?.pem
  if (pinned?.filename === 'pve-ssl.pem') return named('pve-root-ca.pem')
  return pinned?.pem ?? named('pveproxy-ssl.pem') ?? named('pve-root-ca.pem')
}

/**
 * ichor compares the fingerprint and needs no name, but a controller would fail on a wrong name for as long as the
 * cluster runs.
 */
function refuseOtherName(certificate: X509Certificate, { settings, where }: Inventory): void {
  const asked = settings.proxmox.endpoints.map((endpoint) => new URL(endpoint).hostname.replace(/^\[|\]$/g, ''))
  if (asked.some((name) => (familyOf(name) === undefined ? certificate.checkHost(name) : certificate.checkIP(name))))
    return
  const names = certificate.subjectAltName?.replace(/\b(DNS|IP Address):/g, '') ?? 'no name at all'
  throw new FileError(`The certificate of Proxmox is not for ${asked[0]}, so the addons cannot verify it.`, {
    where: where('proxmox.endpoint'),
    fix: `Use an address that is in the certificate (${names}), or install a certificate in Proxmox for ${asked[0]}.`,
  })
}
