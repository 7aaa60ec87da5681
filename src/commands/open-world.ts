import type { Connected, ConnectOptions, LabAccess } from '../connect.js'
import type { Inventory } from '../inventory/inventory.js'
import { printable } from '../report/printable.js'
import { widthOf } from '../report/screen-width.js'
import { beside } from '../report/wrap.js'
import type { UnknownHost } from '../trust/proxmox-trust.js'
import type { Context } from './frame/context.js'

/** The inventory and its world: the real one, or a lab instead. */
export interface Opened extends Connected {
  readonly inventory: Inventory
  readonly lab?: LabAccess
  /** Sends notices there from now on: a live screen would overwrite other output. */
  onNotice(listener: (text: string) => void): void
}

export type OpenOptions = { readonly lab: boolean; readonly mayStartLab: boolean } & Pick<
  ConnectOptions,
  'login' | 'token' | 'usesOwnToken' | 'talosRoles' | 'withoutProxmox'
>

/** Connects, runs, and always closes. */
export async function withWorld<T>(
  inventory: Inventory,
  options: OpenOptions,
  context: Context,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { connect } = await import('../connect.js')
  let listener = (text: string): void => {
    context.stderr.write(`${beside('note  ', 6, printable(text), widthOf(context.stderr))}\n`)
  }
  const notify = (text: string) => listener(text)
  const lab = options.lab
    ? await (await import('./use-lab.js')).useLab(inventory, options.mayStartLab, notify, context)
    : undefined
  const connected = await connect(inventory, {
    env: context.env,
    notify,
    ...(context.stdin.isTTY === true ? { askTrust: (unknown) => askTrust(unknown, context) } : {}),
    ...(options.login === undefined ? {} : { login: options.login }),
    ...(options.token === undefined ? {} : { token: options.token }),
    usesOwnToken: options.usesOwnToken ?? false,
    withoutProxmox: options.withoutProxmox ?? false,
    ...(options.talosRoles === undefined ? {} : { talosRoles: options.talosRoles }),
    ...(lab === undefined ? {} : { lab: lab.access }),
  })
  try {
    return await work({
      ...connected,
      onNotice: (heard) => {
        listener = heard
      },
      inventory: lab === undefined ? inventory : lab.inventory,
      ...(lab === undefined ? {} : { lab: lab.access }),
    })
  } finally {
    await connected.close()
    await lab?.close()
  }
}

async function askTrust({ host, fingerprint }: UnknownHost, context: Context): Promise<boolean> {
  const { askYes } = await import('./ask.js')
  context.stderr.write(
    `No authority that this computer trusts vouches for ${host}. Its certificate has the SHA-256 fingerprint\n  ${fingerprint}\n`,
  )
  return askYes('Is it the one that Proxmox shows under System, Certificates of that host?', context)
}
