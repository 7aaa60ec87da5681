import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import type { LabAccess } from '../connect.js'
import type { Inventory } from '../inventory/inventory.js'
import { findLab } from '../lab/find-lab.js'
import { type LabInfo, labFolder } from '../lab/lab-file.js'
import { labName } from '../lab/lab-name.js'
import { startDetachedLab } from '../lab/start-detached.js'
import { makeFolder } from '../make-folder.js'
import { labAccess, openLab, withLabFactory } from '../open-lab.js'
import type { Context } from './frame/context.js'

/** A lab instead of the real world, and the inventory adapted to it. */
export interface UsedLab {
  readonly access: LabAccess
  readonly inventory: Inventory
  close(): Promise<void>
}

/** The speed of a lab that is started for an inventory. */
export const usualSpeed = 20

/**
 * The running lab. If there is none: a detached one for commands that make changes, a temporary one for commands that
 * only read.
 */
export async function useLab(
  inventory: Inventory,
  mayStart: boolean,
  notify: (text: string) => void,
  context: Context,
): Promise<UsedLab> {
  const running = await findLab(context.env)
  if (running !== undefined) return used(running, inventory, context, async () => {})
  if (mayStart) {
    notify(`lab ${labName(context.env)} is not running: starting one that fits the inventory. ichor lab stop ends it.`)
    const info = await startDetachedLab(
      [...programWords(), 'lab', 'start', '-i', inventory.file, '--speed', String(usualSpeed)],
      context.env,
    )
    return used(info, inventory, context, async () => {})
  }
  notify('no lab is running: looking into a temporary, empty one.')
  const { info, close } = await openLab(inventory, { speed: usualSpeed })
  return used(info, inventory, context, close)
}

/** Arguments for Node to run this program: its file, or none for a single executable. */
export function programWords(): string[] {
  return isSea() ? [] : [process.argv[1] ?? fileURLToPath(import.meta.url)]
}

async function used(
  info: LabInfo,
  inventory: Inventory,
  context: Context,
  close: () => Promise<void>,
): Promise<UsedLab> {
  return { access: await accessTo(info, inventory, context), inventory: withLabFactory(inventory, info.factory), close }
}

async function loopbacksOf(info: LabInfo): Promise<NonNullable<LabAccess['loopbacksOf']>> {
  const { controlLab } = await import('../lab/control.js')
  return controlLab(info).loopbacksOf
}

/** An inventory with an SSH jump uses the lab's SSH server, so that this path is tested as well. */
async function accessTo(info: LabInfo, { settings }: Inventory, { env }: Context): Promise<LabAccess> {
  const access = { ...labAccess(info), loopbacksOf: await loopbacksOf(info) }
  if (settings.proxmox.ssh === undefined) return access
  const key = join(labFolder(env), 'ssh-key')
  await makeFolder(labFolder(env), 0o700)
  await writeFile(key, info.ssh.private_key, { mode: 0o600 })
  return {
    ...access,
    ssh: { host: info.ssh.host, port: info.ssh.port, user: info.ssh.user, hostKey: info.ssh.host_key, key },
  }
}
