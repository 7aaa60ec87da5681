import { factsOf } from '../../adopt/machine-facts.js'
import { readTalosconfig, type WayIn } from '../../adopt/origins/talosconfig.js'
import { hostOf } from '../../adopt/settings.js'
import { FileError, reasonOf } from '../../errors.js'
import { readOnly } from '../../read-only.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { readImport } from '../../secrets/import/read-import.js'
import { connectTalos } from '../../talos/api/connect.js'
import type { TalosPort } from '../../talos/api/port.js'
import { readConfig } from '../../talos/config/read-config.js'
import type { World } from '../../world.js'

/** A file that gives a way into the cluster, as its text. */
export interface Origin {
  readonly kind: 'talosconfig' | 'secrets' | 'machine-config'
  readonly text: string
  /** For messages. */
  readonly where: string
  /** Of a talosconfig. */
  readonly context?: string
}

/** The keys of the cluster, and addresses of its control planes. */
export interface Entrance {
  readonly bundle: SecretsBundle
  readonly controlPlanes: readonly string[]
}

/** A talosconfig leads to a control plane, whose config holds the keys; the other files hold them. */
export async function openEntrance(
  origin: Origin,
  given: readonly string[],
  world: World,
  signal: AbortSignal,
): Promise<Entrance> {
  const { kind, text, where } = origin
  if (kind === 'talosconfig') {
    const wayIn = readTalosconfig(text, where, origin.context)
    const endpoints = given.length > 0 ? given : wayIn.endpoints
    return { bundle: await bundleThrough({ ...wayIn, endpoints }, world, where, signal), controlPlanes: endpoints }
  }
  const { bundle } = readImport(text, where)
  const endpoint = kind === 'machine-config' ? factsOf(readConfig(text, where)).endpoint : undefined
  const controlPlanes = given.length > 0 || endpoint === undefined ? given : [hostOf(endpoint)]
  if (controlPlanes.length > 0) return { bundle, controlPlanes }
  throw new FileError('The file holds the keys of a cluster, and no address of it.', {
    where,
    fix: 'Add --node with the address of a control plane.',
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
    if (/^\s+type: controlplane\s*$/m.test(config)) return config
    failures.push(`${address} is no control plane`)
  } catch (thrown) {
    signal.throwIfAborted()
    failures.push(`${address}: ${reasonOf(thrown)}`)
  }
  return undefined
}
