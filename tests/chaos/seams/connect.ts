import { type Connected, type ConnectOptions, connect as really } from '../../../src/connect.js'
import type { Inventory } from '../../../src/inventory/index.js'
import { currentOperator, worldOf } from '../operator.js'
import { currentSite } from '../site.js'

// Whatever is not replaced here is the real one.
export * from '../../../src/connect.js'

/** The world of whoever runs: through an entrance of the operator's own, and with a planted bug where one is asked for. */
export async function connect(inventory: Inventory, options: ConnectOptions): Promise<Connected> {
  const operator = currentOperator()
  const site = currentSite()
  if (operator === undefined || site === undefined || options.lab === undefined) return really(inventory, options)
  const entrance = await site.entranceFor(operator)
  const connected = await really(inventory, { ...options, lab: { ...options.lab, socks: entrance } })
  return {
    ...connected,
    world: worldOf(operator, site.through(connected.world)),
    close: async () => {
      await connected.close()
      await entrance.close()
    },
  }
}
