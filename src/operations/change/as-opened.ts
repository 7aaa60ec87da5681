import type { Inventory } from '../../inventory/inventory.js'

/** A changed inventory in the world of the first one: a lab has its own factory. */
export function asOpened(changed: Inventory, opened: Inventory): Inventory {
  const { factory_url } = opened.settings.talos
  return { ...changed, settings: { ...changed.settings, talos: { ...changed.settings.talos, factory_url } } }
}
