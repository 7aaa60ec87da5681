import { catalogue } from '../addons/catalogue.js'
import type { Controller } from './access-plan.js'

/** The controllers of the inventory's addons that need an identity on Proxmox. */
export function controllersOf(addons: Readonly<Record<string, unknown>>): Controller[] {
  return catalogue
    .filter(({ name }) => addons[name] !== undefined)
    .flatMap(({ name: addon, identities }) =>
      identities.map((identity) => ({ addon, ...identity, ...storagesOf(addons[addon]) })),
    )
}

/** An addon with its own storage for volumes names it. */
function storagesOf(options: unknown): Pick<Controller, 'storages'> {
  const isNamed = typeof options === 'object' && options !== null && 'datastore' in options
  return isNamed && typeof options.datastore === 'string' ? { storages: [options.datastore] } : {}
}
