import type { Inventory } from '../../inventory/inventory.js'

/** A changed inventory in the world that the first one was opened in: a lab has a factory of its own. */
export function asOpened(changed: Inventory, opened: Inventory): Inventory {
  const { factory_url } = opened.settings.talos
  return { ...changed, settings: { ...changed.settings, talos: { ...changed.settings.talos, factory_url } } }
}
