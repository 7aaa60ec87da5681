import { UsageError } from '../../errors.js'
import { type Inventory, loadInventories } from '../../inventory/index.js'
import { withLabFactory } from '../../open-lab.js'
import type { Session } from '../../operations/session.js'
import type { Context } from '../frame/context.js'
import { inventoryPaths } from '../inventories.js'

/** What connections are made from when the page starts. */
const connecting = ['proxmox', 'backup', 'secrets', 'vault'] as const

/** The session with the inventory as its files are now: a page is open for longer than an inventory stays the same. */
export async function reread(opened: Session, named: readonly string[], context: Context): Promise<Session> {
  const { inventory: before, lab } = opened
  const all = await loadInventories(await inventoryPaths(named, context), { env: context.env })
  const found = all.find(({ file }) => file === before.file)
  if (found === undefined) throw startAgain(before, `${before.file} is not there any more.`)
  if (connectionOf(found) !== connectionOf(before))
    throw startAgain(before, 'The inventory names another Proxmox or store now.')
  return { ...opened, inventory: lab === undefined ? found : withLabFactory(found, lab.factory) }
}

function connectionOf({ settings }: Inventory): string {
  return JSON.stringify(Object.entries(settings).filter(([key]) => (connecting as readonly string[]).includes(key)))
}

function startAgain({ file }: Inventory, problem: string): UsageError {
  return new UsageError(problem, { where: file, fix: 'Stop ichor ui with Ctrl-C and start it again.' })
}
