import type { ConnectOptions } from '../connect.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Session } from '../operations/session.js'
import { printable } from '../report/printable.js'
import { widthOf } from '../report/screen-width.js'
import { beside } from '../report/wrap.js'
import type { UnknownDestination } from '../trust/proxmox-door.js'
import type { Context } from './frame/context.js'

export type OpenOptions = { readonly lab: boolean; readonly mayStartLab: boolean } & Pick<
  ConnectOptions,
  'login' | 'token' | 'confirmed' | 'usesOwnToken' | 'talosRoles' | 'withoutProxmox'
>

/** Connects, runs, and always closes. */
export async function withWorld<T>(
  inventory: Inventory,
  options: OpenOptions,
  context: Context,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { openSession } = await import('../operations/session.js')
  const notify = (text: string): void => {
    context.stderr.write(`${beside('note  ', 6, printable(text), widthOf(context.stderr))}\n`)
  }
  const lab = options.lab
    ? await (await import('./use-lab.js')).useLab(inventory, options.mayStartLab, notify, context)
    : undefined
  const session = await openSession(lab?.inventory ?? inventory, {
    env: context.env,
    notify,
    ...(context.stdin.isTTY === true ? { askDestination: (unknown) => askDestination(unknown, context) } : {}),
    ...(options.login === undefined ? {} : { login: options.login }),
    ...(options.token === undefined ? {} : { token: options.token }),
    ...(options.confirmed === undefined ? {} : { confirmed: options.confirmed }),
    usesOwnToken: options.usesOwnToken ?? false,
    withoutProxmox: options.withoutProxmox ?? false,
    ...(options.talosRoles === undefined ? {} : { talosRoles: options.talosRoles }),
    ...(lab === undefined ? {} : { lab: lab.access }),
  })
  try {
    return await work(session)
  } finally {
    await session.close()
    await lab?.close()
  }
}

/** Shared with the commands that only need a store of backups. */
export async function askDestination(unknown: UnknownDestination, context: Context): Promise<boolean> {
  const { askYes } = await import('./ask.js')
  const { credential, host, destination, before, fingerprint } = unknown
  const say = (text: string) => void context.stderr.write(`${printable(text)}\n`)
  if (fingerprint !== undefined) {
    say(
      `The certificate of ${host} is not signed by an authority that this computer trusts. Its SHA-256 fingerprint is`,
    )
    say(`  ${fingerprint}`)
  }
  if (before !== undefined) return askChange(unknown, before, say, context)
  if (fingerprint !== undefined) {
    return askYes('Is it the one that Proxmox shows under System, Certificates of that host?', context)
  }
  say(`The ${credential} was not sent from here before. The inventory sends it to`)
  say(`  ${destination}`)
  return askYes('Is that right?', context)
}

/** Typing "yes" is too easy: a change of the inventory may be an attack. */
async function askChange(
  { credential, host, destination }: UnknownDestination,
  before: string,
  say: (text: string) => void,
  context: Context,
): Promise<boolean> {
  const { typeName } = await import('./confirm-name.js')
  say(`The ${credential} is bound to`)
  say(`  ${before}`)
  say('The inventory would send it to')
  say(`  ${destination}`)
  return typeName(host, `Type ${host} to bind it to that: `, 'Run this on a terminal.', context)
}
