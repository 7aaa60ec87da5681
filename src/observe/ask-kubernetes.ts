import { observeAddons } from '../addons/installed-addons.js'
import type { World } from '../world.js'
import type { ObservedKubernetes, ObservedMachine } from './observed.js'

const patienceMs = 8000

/** The nodes and addons, as the first control plane that answers sees them. */
export async function askKubernetes(
  controlPlanes: readonly ObservedMachine[],
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
    return { version, nodes, addons: await observeAddons(api, patience) }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
