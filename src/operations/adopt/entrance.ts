import type { WayIn } from '../../adopt/origins/talosconfig.js'
import { isControlPlane } from '../../adopt/origins/terraform-state.js'
import { FileError, reasonOf, UsageError } from '../../errors.js'
import { readOnly } from '../../read-only.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { readImport } from '../../secrets/import/read-import.js'
import { connectTalos } from '../../talos/api/connect.js'
import type { TalosPort } from '../../talos/api/port.js'
import type { World } from '../../world.js'
import { type Origin, type Ways, waysOf } from './origin.js'

/** The keys of the cluster, and addresses of its control planes. */
export interface Entrance {
  readonly bundle: SecretsBundle
  readonly controlPlanes: readonly string[]
}

/** A client certificate leads to a control plane, whose config holds the keys; other files hold them. */
export async function openEntrance(
  origins: readonly Origin[],
  given: readonly string[],
  world: World,
  signal: AbortSignal,
): Promise<Entrance> {
  const ways = origins.map(waysOf)
  refuseSeveralClusters(ways)
  const controlPlanes = given.length > 0 ? given : [...new Set(ways.flatMap((way) => way.controlPlanes))]
  const where = ways.map((way) => way.where).join(', ')
  const withKeys = ways.find(({ bundle }) => bundle !== undefined)
  const { wayIn } = ways.find((way) => way.wayIn !== undefined) ?? {}
  if (withKeys?.bundle === undefined && wayIn === undefined) {
    throw new FileError('No keys of the cluster are in it.', {
      where,
      fix: 'Add --talosconfig with os:admin, or --secrets.',
    })
  }
  if (controlPlanes.length === 0) {
    throw new FileError('The file holds the keys of a cluster, and no address of it.', {
      where,
      fix: 'Add --node with the address of a control plane.',
    })
  }
  if (withKeys?.bundle !== undefined) return { bundle: withKeys.bundle, controlPlanes }
  const endpoints = given.length > 0 ? given : (wayIn?.endpoints ?? [])
  return { bundle: await bundleThrough({ ...wayIn, endpoints } as WayIn, world, where, signal), controlPlanes }
}

/** Keys of one cluster must never be written for another. */
function refuseSeveralClusters(ways: readonly Ways[]): void {
  const authorities = ways.flatMap(({ where, bundle, wayIn }) => {
    const ca = wayIn?.credentials.ca ?? (bundle && Buffer.from(bundle.certs.os.crt, 'base64').toString())
    return ca === undefined ? [] : [{ where, ca: ca.trim() }]
  })
  const [first] = authorities
  const other = authorities.find(({ ca }) => ca !== first?.ca)
  if (first === undefined || other === undefined) return
  throw new UsageError('These files are of two clusters: their Talos CAs differ.', {
    where: `${first.where}, ${other.where}`,
    fix: 'Give files of one cluster; --context chooses one of a talosconfig.',
  })
}

async function bundleThrough(
  { endpoints, credentials }: WayIn,
  { dialer, clock, ...world }: World,
  where: string,
  signal: AbortSignal,
): Promise<SecretsBundle> {
  const talos = connectTalos({ dialer, clock, credentials: async () => credentials })
  const failures: string[] = []
  try {
    const { talos: looking } = readOnly({ ...world, dialer, clock, talos })
    for (const address of endpoints) {
      const config = await controlPlaneConfig(looking, address, failures, signal)
      if (config !== undefined) return readImport(config, `the machine config of ${address}`).bundle
    }
  } finally {
    await talos.close()
  }
  throw new FileError(`No control plane showed its config: ${failures.join('; ')}.`, {
    where,
    fix: 'Use a talosconfig with os:admin whose endpoints are control planes that this computer reaches, or name one with --node.',
  })
}

async function controlPlaneConfig(
  talos: TalosPort,
  address: string,
  failures: string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const config = await talos.node({ machine: address, address }).resources.machineConfig(signal)
    if (isControlPlane(config)) return config
    failures.push(`${address} is no control plane`)
  } catch (thrown) {
    signal.throwIfAborted()
    failures.push(`${address}: ${reasonOf(thrown)}`)
  }
  return undefined
}
