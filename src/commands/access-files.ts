import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parse } from 'yaml'
import type { LabAccess } from '../connect.js'
import type { Inventory } from '../inventory/inventory.js'
import { labOption } from '../lab/lab-name.js'
import type { SecretsBundle } from '../secrets/bundle.js'
import type { World } from '../world.js'
import { cannotWrite } from './cannot-write.js'
import { clusterAddresses } from './cluster-addresses.js'
import type { Context } from './frame/context.js'
import { keepOutOfGit } from './keep-out-of-git.js'
import { proxyUrlOf } from './proxy-url.js'

const minDays = 30

/** Lifetime of the client certificates in these files, in hours. */
export function lifetimeOf({ client_files }: Inventory['settings']): number {
  return client_files.lifetime / 3_600_000
}

/** When to renew them: no later than the warning of `status`, so that `up` fixes it; and no earlier than half of their lifetime. */
export function renewBeforeDays(settings: Inventory['settings']): number {
  const { certificate_warning_days: days } = settings.observability
  return Math.min(Math.max(minDays, days), lifetimeOf(settings) / 24 / 2)
}

interface Access {
  readonly name: string
  readonly bundle: SecretsBundle
  readonly endpoint: string
  readonly controlPlanes: readonly string[]
  readonly talosEndpoints: readonly string[]
  readonly proxyUrl: string | undefined
  readonly lifetimeHours: number
  readonly now: Date
  readonly renewBeforeDays: number
}

/**
 * `talosconfig` and `kubeconfig` next to the inventory (0600), as `client_files` asks: created if missing, renewed before they expire
 * or if the endpoint changes.
 */
export async function writeAccess(
  { inventory, world, lab }: { inventory: Inventory; world: World; lab?: LabAccess | undefined },
  context: Context,
): Promise<string[]> {
  const file = await world.secrets.find()
  if (file === undefined) return []
  const { observe } = await import('../observe/observe.js')
  const found = await clusterAddresses(inventory, () => observe(inventory, world, context.signal))
  const { endpoint, controlPlanes } = found
  if (endpoint === undefined) return []
  const access = {
    name: inventory.settings.cluster_name,
    bundle: file.bundle,
    endpoint,
    controlPlanes,
    talosEndpoints: (await lab?.loopbacksOf?.(controlPlanes)) ?? controlPlanes,
    proxyUrl: proxyUrlOf(inventory, lab),
    lifetimeHours: lifetimeOf(inventory.settings),
    now: new Date(),
    renewBeforeDays: renewBeforeDays(inventory.settings),
  }
  const path = (name: string) => join(inventory.folder, lab === undefined ? name : `${name}.lab`)
  const { talosconfig, kubeconfig } = inventory.settings.client_files
  const written = [
    ...(talosconfig === 'none' ? [] : await writeTalosconfig(path('talosconfig'), access)),
    ...(kubeconfig === 'certificate' ? await writeKubeconfig(path('kubeconfig'), access) : []),
    ...(kubeconfig === 'exec'
      ? await writeExecKubeconfig(
          path('kubeconfig'),
          credentialCommand(inventory.folder, lab !== undefined, context.env),
          access,
        )
      : []),
  ]
  if (written.length > 0) written.push(...(await keepOutOfGit(inventory.folder)))
  return written.map((one) => relative(context.cwd, one) || one)
}

/** When only an addon failed, the API answers: finding the cause needs access to it. */
export async function writeAccessOfUnfinished(
  session: { inventory: Inventory; world: World; lab?: LabAccess | undefined },
  context: Context,
): Promise<void> {
  try {
    if ((await session.world.secrets.find())?.memory.bootstrapped !== true) return
    for (const file of await writeAccess(session, context)) context.stderr.write(`wrote ${file}\n`)
  } catch {
    // The failure of the run is what counts.
  }
}

async function writeTalosconfig(path: string, access: Access): Promise<string[]> {
  const { name, bundle, controlPlanes, talosEndpoints, lifetimeHours, now } = access
  const { clientCertificate, trustedCas } = await import('../talos/clientconfig/client-certificate.js')
  const { findContextCertificate, mergeTalosconfig } = await import('../talos/clientconfig/talosconfig.js')
  const { writeDurably } = await import('../durable-file.js')
  const existing = await readOptional(path)
  const pem = existing === undefined ? undefined : findContextCertificate(existing, name, path)
  const { contexts } = looseYaml(existing) as { contexts?: Record<string, { endpoints?: unknown; ca?: unknown }> }
  const known = contexts?.[name]
  const isSame = String(known?.endpoints) === String(talosEndpoints) && holds(known?.ca, trustedCas(bundle, 'os'))
  if (!isStale(pem, bundle.certs.os.crt, now, access.renewBeforeDays) && isSame) return []
  const certificate = await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours, now })
  const made = { name, endpoints: talosEndpoints, nodes: controlPlanes.slice(0, 1), certificate }
  await writeDurably(path, mergeTalosconfig(existing, made, { where: path })).catch(cannotWrite(path))
  return [path]
}

async function writeKubeconfig(path: string, access: Access): Promise<string[]> {
  const { name, bundle, endpoint, proxyUrl, lifetimeHours, now } = access
  const { trustedCas } = await import('../talos/clientconfig/client-certificate.js')
  const { adminKubeconfig, findAdminCertificate } = await import('../talos/clientconfig/kubeconfig.js')
  const { writeDurably } = await import('../durable-file.js')
  const existing = await readOptional(path)
  const pem = existing === undefined ? undefined : findAdminCertificate(existing, name, path)
  const { clusters } = looseYaml(existing) as { clusters?: { name?: unknown; cluster?: Record<string, unknown> }[] }
  const known = clusters?.find((cluster) => cluster.name === name)?.cluster
  const isTrusted = holds(known?.['certificate-authority-data'], trustedCas(bundle, 'k8s'))
  const isSame = known?.server === endpoint && known['proxy-url'] === proxyUrl && isTrusted
  if (!isStale(pem, bundle.certs.k8s.crt, now, access.renewBeforeDays) && isSame) return []
  const proxy = proxyUrl === undefined ? {} : { proxyUrl }
  const { text } = await adminKubeconfig(bundle, { endpoint, ...proxy, clusterName: name, lifetimeHours, now })
  await writeDurably(path, text).catch(cannotWrite(path))
  return [path]
}

/** Without a key in it: nothing to renew. */
async function writeExecKubeconfig(path: string, exec: ExecCommand, access: Access): Promise<string[]> {
  const { name: clusterName, endpoint, proxyUrl } = access
  const { adminKubeconfig } = await import('../talos/clientconfig/kubeconfig.js')
  const { writeDurably } = await import('../durable-file.js')
  const proxy = proxyUrl === undefined ? {} : { proxyUrl }
  const made = { endpoint, ...proxy, clusterName, exec, lifetimeHours: 1, now: access.now }
  const { text } = await adminKubeconfig(access.bundle, made)
  if (text === (await readOptional(path))) return []
  await writeDurably(path, text).catch(cannotWrite(path))
  return [path]
}

interface ExecCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** The command for kubectl. Works from any folder, as long as ichor is on the PATH. */
export function credentialCommand(folder: string, isLab: boolean, env: NodeJS.ProcessEnv): ExecCommand {
  return { command: 'ichor', args: ['credential', '-i', folder, ...(isLab ? [labOption(env)] : [])] }
}

/** Parsed only after a certificate was found in it: anything but a mapping holds none. */
function looseYaml(text: string | undefined): object {
  const value: unknown = text === undefined ? {} : parse(text)
  return typeof value === 'object' && value !== null ? value : {}
}

/** A client that trusts another CA would accept a server with that CA's key. */
function holds(base64: unknown, pem: string): boolean {
  return typeof base64 === 'string' && Buffer.from(base64, 'base64').toString() === pem
}

/** Missing, about to expire, or of another cluster's CA. */
export function isStale(pem: string | undefined, caBase64: string, now: Date, renewBefore = minDays): boolean {
  if (pem === undefined) return true
  const certificate = new X509Certificate(pem)
  const ca = new X509Certificate(Buffer.from(caBase64, 'base64'))
  const daysLeft = (Date.parse(certificate.validTo) - now.getTime()) / 86_400_000
  return daysLeft < renewBefore || !certificate.verify(ca.publicKey)
}

/** The text of an optional file. */
export async function readOptional(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
