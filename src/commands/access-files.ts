import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { endpointOf } from '../desired/endpoint.js'
import type { Inventory } from '../inventory/inventory.js'
import type { World } from '../world.js'
import type { Context } from './frame/context.js'

/** Of client certificates that are written without a wish for another. */
export const lifetimeHours = 8760
const renewBeforeDays = 30

/** `talosconfig` and `kubeconfig` beside the inventory (0600): made when they are missing, renewed before they expire. */
export async function writeAccess(
  { inventory, world, isLab }: { inventory: Inventory; world: World; isLab: boolean },
  context: Context,
): Promise<string[]> {
  const file = await world.secrets.find()
  const endpoint = endpointOf(inventory)
  if (file === undefined || endpoint === undefined) return []
  const { clientCertificate } = await import('../talos/clientconfig/client-certificate.js')
  const { findContextCertificate, mergeTalosconfig } = await import('../talos/clientconfig/talosconfig.js')
  const { writeDurably } = await import('../secrets/durable-file.js')
  const { adminKubeconfig, findAdminCertificate } = await import('../talos/clientconfig/kubeconfig.js')
  const name = inventory.settings.cluster_name
  const now = new Date()
  const suffix = isLab ? '.lab' : ''
  const talosPath = join(inventory.folder, `talosconfig${suffix}`)
  const kubePath = join(inventory.folder, `kubeconfig${suffix}`)
  const endpoints = inventory.machines.flatMap(({ role, address }) =>
    role === 'controlplane' && address !== undefined ? [address] : [],
  )
  const written: string[] = []
  const talos = await readOptional(talosPath)
  if (
    isStale(
      talos === undefined ? undefined : findContextCertificate(talos, name, talosPath),
      file.bundle.certs.os.crt,
      now,
    )
  ) {
    const certificate = await clientCertificate(file.bundle, { roles: ['os:admin'], lifetimeHours, now })
    await writeDurably(
      talosPath,
      mergeTalosconfig(talos, { name, endpoints, nodes: endpoints.slice(0, 1), certificate }, { where: talosPath }),
    )
    written.push(talosPath)
  }
  const kube = await readOptional(kubePath)
  if (
    isStale(kube === undefined ? undefined : findAdminCertificate(kube, name, kubePath), file.bundle.certs.k8s.crt, now)
  ) {
    const { text } = await adminKubeconfig(file.bundle, { endpoint, clusterName: name, lifetimeHours, now })
    await writeDurably(kubePath, text)
    written.push(kubePath)
  }
  return written.map((path) => relative(context.cwd, path) || path)
}

/** Missing, soon over, or of another cluster's CA. */
export function isStale(pem: string | undefined, caBase64: string, now: Date): boolean {
  if (pem === undefined) return true
  const certificate = new X509Certificate(pem)
  const ca = new X509Certificate(Buffer.from(caBase64, 'base64'))
  const daysLeft = (Date.parse(certificate.validTo) - now.getTime()) / 86_400_000
  return daysLeft < renewBeforeDays || !certificate.verify(ca.publicKey)
}

/** The text of a file that need not be there. */
export async function readOptional(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
