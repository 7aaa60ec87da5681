import type { LabAccess } from './connect.js'
import type { Inventory } from './inventory/inventory.js'
import type { Lab, LabInfo } from './lab/index.js'

/** A lab in this process, and the inventory adapted to it. */
export interface OpenedLab {
  readonly lab: Lab
  readonly info: LabInfo
  /** For `connect`. */
  readonly access: LabAccess
  readonly inventory: Inventory
  close(): Promise<void>
}

/** Starts a lab whose hosts, bridges and storages fit the inventory. Nothing leaves this computer. */
export async function openLab(
  inventory: Inventory,
  { speed = 20, port = 0 }: { readonly speed?: number; readonly port?: number } = {},
): Promise<OpenedLab> {
  const { infoOf, startLab, topologyFor } = await import('./lab/index.js')
  const lab = await startLab({ topology: topologyFor(inventory), speed, port })
  const info = infoOf(lab, { topology: lab.topology })
  return {
    lab,
    info,
    access: { ...labAccess(info), loopbacksOf: async (addresses) => addresses.map(lab.network.loopbackOf) },
    inventory: withLabFactory(inventory, info.factory),
    close: () => lab.close(),
  }
}

/** How to connect to a running lab, through its SOCKS proxy. */
export function labAccess(info: LabInfo): LabAccess {
  return {
    endpoint: info.endpoint,
    tokenId: info.token_id,
    tokenSecret: info.token_secret,
    fingerprint: info.fingerprint,
    socks: info.socks,
    factory: info.factory,
    speed: info.speed,
  }
}

/** Machines of a lab get their images from the lab. */
export function withLabFactory(inventory: Inventory, factory: string): Inventory {
  const { settings } = inventory
  return { ...inventory, settings: { ...settings, talos: { ...settings.talos, factory_url: factory } } }
}
