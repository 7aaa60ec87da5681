import type { FoundCluster } from '../../adopt/found-cluster.js'
import { versionsInWords } from '../../cluster/held.js'
import { notDescribed } from '../../findings/refusals/machines.js'
import { connectKubernetes } from '../../kubernetes/connect.js'
import { readOnly } from '../../read-only.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { connectTalos } from '../../talos/api/connect.js'
import { adminCertificate, clientCertificate } from '../../talos/clientconfig/client-certificate.js'
import type { World } from '../../world.js'
import { openEntrance } from './entrance.js'
import { type FitOptions, type Fitted, fitInventory } from './fit-inventory.js'
import { endpointsOf, lookAround } from './look-around.js'
import { lookAtCharts } from './look-at-charts.js'
import { lookAtPools } from './look-at-pools.js'
import { commandsToForget, differencesOf, type Origin } from './origin.js'
import { runningKeys } from './running-keys.js'

export interface Adoption extends Fitted {
  readonly found: FoundCluster
  readonly bundle: SecretsBundle
  /** Where the files differ from what runs, which wins. */
  readonly differences: readonly string[]
  /** What changes for VMs that the first `ichor up` moves into the pool. */
  readonly moves: readonly string[]
  /** Charts that run, which ichor leaves alone. */
  readonly charts: readonly string[]
  /** Commands that make the former tool forget the cluster. */
  readonly forget: readonly string[]
}

export interface AdoptOptions extends Omit<FitOptions, 'bundle'> {
  /** Addresses of control planes, in place of those in the files. */
  readonly nodes: readonly string[]
  /** Refuse if anything that runs is not expressed. */
  readonly strict: boolean
}

/** Lifetime of the client certificates, in hours. */
const lifetimeHours = 1

/** Reads a cluster that something else made, and writes down what it is. Changes nothing anywhere. */
export async function adopt(
  world: World,
  origins: readonly Origin[],
  options: AdoptOptions,
  signal: AbortSignal,
): Promise<Adoption> {
  const { bundle: given, controlPlanes } = await openEntrance(origins, options.nodes, world, signal)
  const { dialer, clock } = world
  const now = new Date(clock.now())
  const [osClient, admin] = await Promise.all([
    clientCertificate(given, { lifetimeHours, roles: ['os:admin'], now }),
    adminCertificate(given, { lifetimeHours, now }),
  ])
  const talos = connectTalos({ dialer, clock, credentials: async () => osClient })
  const kubernetes = connectKubernetes({ dialer, clock, credentials: async () => admin })
  try {
    const looking = readOnly({ ...world, talos, kubernetes })
    const found = await lookAround(controlPlanes, looking, signal)
    const { bundle, differences } = runningKeys(given, found)
    const fitted = await fitInventory(found, { ...options, bundle })
    if (options.strict) refuseIncomplete(fitted, found)
    return {
      ...fitted,
      found,
      bundle,
      moves: await lookAtPools(found.machines, fitted.pool, looking.proxmox, signal),
      charts: await lookAtCharts(looking.kubernetes.at(endpointsOf(controlPlanes)), signal),
      differences: [...differences, ...differencesOf(origins, found)],
      forget: commandsToForget(origins, found),
    }
  } finally {
    await Promise.all([talos.close(), kubernetes.close()])
  }
}

function refuseIncomplete({ unexpressed, runs }: Fitted, { leftOut, machines }: FoundCluster): void {
  const problems = [
    ...machines.flatMap(({ name, talos }) => (talos === undefined ? [`${name}: it is off`] : [])),
    ...Object.entries(runs).map(([name, apart]) => `${name}: it runs ${versionsInWords(apart)}`),
    ...leftOut.map(({ name, why }) => `${name}: ${why}`),
    ...unexpressed.map(
      ({ machine, place, line }) => `${machine}: ${place}${line === undefined ? '' : ` (line ${line} of its config)`}`,
    ),
  ]
  if (problems.length === 0) return
  throw notDescribed.refuse(`Not everything that runs can be written down:\n${problems.join('\n')}`, {
    subject: { kind: 'inventory', name: 'ichor adopt' },
    where: 'ichor adopt --strict',
    fix: 'Without --strict, the inventory is written all the same, and this list is in the report.',
  })
}
