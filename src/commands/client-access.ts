import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeDurably } from '../durable-file.js'
import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { LabInfo } from '../lab/index.js'
import type { SecretsBundle, SecretsFile } from '../secrets/bundle.js'
import { openClusterLock } from '../secrets/cluster-lock.js'
import { SecretsError } from '../secrets/secrets-error.js'
import { readOptional } from './access-files.js'
import { cannotWrite } from './cannot-write.js'
import { clusterAddresses } from './cluster-addresses.js'
import type { Context } from './frame/context.js'
import { withWorld } from './open-world.js'
import { proxyUrlOf } from './proxy-url.js'
import { openHome } from './secrets/home.js'

export function lifetimeArg(usual: string) {
  return {
    lifetime: { type: 'text', placeholder: 'TIME', default: usual, help: 'how long it is valid: 8h, 30d' },
    ttl: { type: 'text', placeholder: 'TIME', help: 'the same as --lifetime' },
  } as const
}

/** Shared arguments of the commands that issue client access. */
export const clientArgs = {
  ...lifetimeArg('12h'),
  out: { type: 'text', short: 'o', placeholder: 'FILE', help: 'merge into this file instead of printing' },
  merge: { type: 'flag', help: 'merge into the default file of talosctl or kubectl' },
  use: { type: 'flag', help: 'make it the current context of that file' },
} as const

/** The input of client access. */
export interface ClientTarget {
  readonly bundle: SecretsBundle
  readonly endpoint: string
  readonly controlPlanes: readonly string[]
  /** Where a talosconfig reaches them: in a lab, their addresses on this computer. */
  readonly talosEndpoints: readonly string[]
  /** Set if the nodes are reachable only through a proxy. */
  readonly proxyUrl: string | undefined
}

/** Secrets and addresses of a cluster. Proxmox is queried only if the inventory does not specify the addresses. */
export async function clientTarget(inventory: Inventory, lab: boolean, context: Context): Promise<ClientTarget> {
  const file = await findSecrets(inventory, lab, context)
  const { endpoint, controlPlanes } = await clusterAddresses(inventory, () => lookFor(inventory, lab, context))
  const info = lab ? await runningLab(context) : undefined
  const proxyUrl = proxyUrlOf(inventory, info)
  const talosEndpoints = info === undefined ? controlPlanes : await loopbacksOf(info, controlPlanes)
  if (endpoint !== undefined) return { bundle: file.bundle, endpoint, controlPlanes, talosEndpoints, proxyUrl }
  throw new UsageError('The address of the first control plane is not known yet.', {
    where: inventory.where('network'),
    fix: 'Run ichor up first; the guest agent reports the address.',
  })
}

/** The cluster secrets, which all client access is made from. */
export async function findSecrets(inventory: Inventory, lab: boolean, context: Context): Promise<SecretsFile> {
  const { store } = openHome(inventory, context, lab)
  const file = await store.find()
  if (file !== undefined) return file
  const hadSome = (await openClusterLock(inventory.folder, lab).find()) !== undefined
  throw new SecretsError(
    hadSome
      ? 'The secrets of the cluster are missing, so no client access can be created.'
      : 'The cluster has no secrets yet, so no client access can be created.',
    {
      where: store.location,
      fix: hadSome
        ? 'Restore the secrets file from version control. If it is lost, ichor status shows what can still be done.'
        : 'Run ichor up, or ichor secrets init.',
    },
  )
}

async function runningLab({ env }: Context) {
  const { findLab } = await import('../lab/index.js')
  return findLab(env)
}

async function loopbacksOf(info: LabInfo, addresses: readonly string[]): Promise<readonly string[]> {
  const { controlLab } = await import('../lab/index.js')
  return controlLab(info).loopbacksOf(addresses)
}

async function lookFor(inventory: Inventory, lab: boolean, context: Context) {
  const { observe } = await import('../observe/observe.js')
  return withWorld(inventory, { lab, mayStartLab: false }, context, ({ inventory: loaded, world }) =>
    observe(loaded, world, context.signal),
  )
}

/** `8h` or `30d` in hours. */
export function lifetimeInHours({ lifetime, ttl }: { lifetime: string; ttl: string | undefined }): number {
  const text = ttl ?? lifetime
  const [, amount = '', unit] = /^(\d+)(h|d)$/.exec(text) ?? []
  const hours = Number(amount) * (unit === 'd' ? 24 : 1)
  if (hours > 0) return hours
  throw new UsageError(`${JSON.stringify(text)} is not a lifetime.`, {
    where: ttl === undefined ? '--lifetime' : '--ttl',
    fix: 'Write hours or days: 8h, 30d.',
  })
}

/** The destination of the access: a named file, the user's own file, or `undefined` for the screen. */
export function destination(
  { out, merge }: { readonly out: string | undefined; readonly merge: boolean },
  usual: { readonly variable: string; readonly path: readonly string[] },
  { cwd, env }: Context,
): string | undefined {
  if (out !== undefined) return resolve(cwd, out)
  if (!merge) return undefined
  const named = env[usual.variable]?.split(':').find((path) => path !== '')
  return named === undefined ? join(env.HOME ?? homedir(), ...usual.path) : resolve(cwd, named)
}

/** Updates the file with the result of `change` (0600), and reports it. */
export async function mergeInto(
  path: string,
  change: (existing: string | undefined) => string,
  { stdout }: Context,
): Promise<void> {
  const text = change(await readOptional(path))
  await writeDurably(path, text, { followsLink: true }).catch(cannotWrite(path))
  stdout.write(`wrote ${path}\n`)
}
