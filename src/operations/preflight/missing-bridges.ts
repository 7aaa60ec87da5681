import { groupBy } from '../../cluster/lookup.js'
import { missingBridge } from '../../findings/refusals/inventory.js'
import { listed } from '../../inventory/checks/check.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'
import { parseNet } from '../../proxmox/model/options/net.js'
import type { World } from '../../world.js'
import { insteadOf } from './instead-of.js'
import type { MissingName } from './unfit-site.js'

/**
 * Bridges that a host lacks. With `type=any_bridge` Proxmox lists bridges and the networks of SDN zones, and of these
 * only what the token may use (PVE::API2::Network, index): it is asked in the words that the token sees.
 */
export async function missingBridges(
  inventory: Inventory,
  observed: Pick<Observed, 'proxmox' | 'machines'>,
  { proxmox }: Pick<World, 'proxmox'>,
  signal: AbortSignal,
): Promise<MissingName[]> {
  const wanted = wantedBridges(inventory, observed)
  const hosts = [...new Set(wanted.map(({ host }) => host))]
  const byHost = new Map(
    await Promise.all(
      hosts.map(async (host): Promise<[string, string[]]> => {
        const bridges = await proxmox.hosts.bridges(host, signal)
        return [host, bridges.map(({ name }) => name).sort()]
      }),
    ),
  )
  const missing = wanted.filter(({ host, bridge }) => byHost.get(host)?.includes(bridge) === false)
  return [...groupBy(missing, ({ path }) => path)].map(([path, all]) => {
    const bridge = all[0]?.bridge ?? ''
    const lacking = [...new Set(all.map(({ host }) => host))]
    const known = [...new Set(lacking.flatMap((host) => byHost.get(host) ?? []))]
    const choice =
      known.length === 0 ? 'Make it there, or let the token use it: ichor access.' : `Write ${listed(known)}.`
    return {
      refusal: missingBridge,
      path,
      message: `${listed(lacking)} ${lacking.length === 1 ? 'has' : 'have'} no bridge ${bridge}, or this token may not use it.`,
      fix: insteadOf(bridge, known, choice),
    }
  })
}

interface WantedBridge {
  readonly host: string
  readonly bridge: string
  readonly path: string
}

/** Of machines that do not exist or are on another bridge, on every host where they may run. */
function wantedBridges(inventory: Inventory, observed: Pick<Observed, 'proxmox' | 'machines'>): WantedBridge[] {
  const { settings, machines, guests } = inventory
  const online = observed.proxmox.hosts.filter(({ online, maintenance }) => online && !maintenance)
  const named = settings.proxmox.target_nodes
  const closed = new Set([...settings.placement.avoid, ...settings.placement.evacuate])
  const open = online.filter(({ name }) => (named.length === 0 || named.includes(name)) && !closed.has(name))
  const seen = new Map(observed.machines.map((machine) => [machine.name, machine]))
  const isOnline = (host: string) => online.some(({ name }) => name === host)
  const ofMachines = machines.flatMap(({ name, host, nics }) => {
    const found = seen.get(name)
    const hosts = [found?.host ?? host].flatMap((one) => (one === undefined ? open.map((all) => all.name) : [one]))
    return nics.flatMap(({ bridge }, index) => {
      const net = found?.options[`net${index}`]
      if (net !== undefined && parseNet(net).bridge === bridge) return []
      const path = index === 0 ? 'proxmox.bridge' : `network.nics[${index - 1}].bridge`
      return hosts.filter(isOnline).map((one) => ({ host: one, bridge, path }))
    })
  })
  const names = new Set(observed.proxmox.guests.flatMap(({ name, vmid }) => [name, vmid]))
  const ofGuests = guests.flatMap(({ name, vmid, host, create }, index) => {
    if (!create || names.has(name) || names.has(vmid) || !isOnline(host)) return []
    const own = settings.guests[index]?.bridge
    const path = own === undefined ? 'proxmox.bridge' : `guests[${index}].bridge`
    return [{ host, bridge: own ?? settings.proxmox.bridge, path }]
  })
  return [...ofMachines, ...ofGuests]
}
