import { addonProblems } from '../addons/check-addon.js'
import { readInstalledAddons } from '../addons/installed-addons.js'
import type { PlannedAddon } from '../addons/planned-addon.js'
import type { KubernetesApi } from '../kubernetes/port.js'
import type { World } from '../world.js'
import type { ObservedAddon, ObservedKubernetes, ObservedMachine } from './observed.js'

const patienceMs = 8000

/** The nodes and addons, as the first control plane that answers sees them. */
export async function askKubernetes(
  controlPlanes: readonly ObservedMachine[],
  wanted: readonly PlannedAddon[],
  { kubernetes }: World,
  signal: AbortSignal,
): Promise<ObservedKubernetes | undefined> {
  const endpoints = controlPlanes
    .filter(({ talos: { reach }, address }) => reach === 'secured' && address !== undefined)
    .map(({ address }) => ({ host: address ?? '', port: 6443 }))
  if (endpoints.length === 0) return undefined
  const api = kubernetes.at(endpoints)
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    const [version, nodes] = await Promise.all([api.version(patience), api.nodes(patience)])
    return { version, nodes, addons: await askAddons(api, wanted, patience) }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function askAddons(
  api: KubernetesApi,
  wanted: readonly PlannedAddon[],
  signal: AbortSignal,
): Promise<ObservedAddon[]> {
  const installed = await readInstalledAddons(api, signal)
  return Promise.all(
    installed.map(async ({ name, title, version, hash, managedBy, holdsData }) => {
      const checks = wanted.find((addon) => addon.name === name)?.checks ?? []
      const [reason] = await addonProblems(api, checks, signal)
      return {
        name,
        title,
        version,
        spec: hash,
        managedBy,
        holdsData,
        healthy: reason === undefined,
        ...(reason === undefined ? {} : { reason }),
      }
    }),
  )
}
