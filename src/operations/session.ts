import { type Connected, type ConnectOptions, connect, type LabAccess } from '../connect.js'
import { removeLeftoversBeside } from '../durable-file.js'
import type { Inventory } from '../inventory/inventory.js'
import { removeLeftFolders } from '../temporary-folder.js'

/** One inventory with its world, the real one or a lab, opened and closed once. */
export interface Session extends Connected {
  readonly inventory: Inventory
  readonly lab?: LabAccess
  readonly env: NodeJS.ProcessEnv
  /** A notice for the user, such as the path of a new age key. */
  notify(text: string): void
  /** Sends notices there from now on: a live screen would overwrite other output. */
  onNotice(listener: (text: string) => void): void
}

/** Does not dial before the first call. Removes what killed runs have left on this computer. */
export async function openSession(inventory: Inventory, options: ConnectOptions): Promise<Session> {
  let listener = options.notify
  const notify = (text: string) => listener(text)
  await Promise.all([removeLeftoversBeside(inventory.folder), removeLeftFolders()])
  return {
    ...(await connect(inventory, { ...options, notify })),
    inventory,
    env: options.env,
    ...(options.lab === undefined ? {} : { lab: options.lab }),
    notify,
    onNotice: (heard) => {
      listener = heard
    },
  }
}
