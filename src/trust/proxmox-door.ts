import { createHash } from 'node:crypto'
import type { PlanRefused } from '../errors.js'
import { unconfirmedReceiver } from '../findings/refusals/secrets.js'
import type { Inventory } from '../inventory/inventory.js'
import { parseEndpoint } from '../proxmox/client/transport/endpoint.js'
import type { Trust } from '../proxmox/client/transport/trust.js'
import { formatTarget } from '../reach/reach-error.js'
import type { Destination } from '../secrets/bound-to.js'
import { type Confirmations, type Confirmed, findConfirmed, isEnoughToName, wholeVariable } from './confirmed.js'
import { fingerprintPin, formatDestination, type WantedDestination } from './destination.js'
import { declaredTrust, proxmoxTrust, type TrustOptions } from './proxmox-trust.js'
import { rememberDestination } from './remembered-destination.js'

/** Shown to the operator, who decides whether the credential may be sent there. */
export interface UnknownDestination {
  /** `API token for Proxmox`. */
  readonly credential: string
  /** What is typed to confirm a change: `pve1.lan`. */
  readonly host: string
  readonly destination: string
  /** What was confirmed before, if that is something else. */
  readonly before?: string
  /** SHA-256 of a certificate that no CA of this computer signed. */
  readonly fingerprint?: string
}

export type AskDestination = (unknown: UnknownDestination) => Promise<boolean>

export interface DoorOptions extends Confirmations, Pick<TrustOptions, 'dialer' | 'notify'> {
  /** Without it, an unconfirmed destination is refused. */
  readonly ask?: AskDestination
}

/** Where the token may be sent, and why. */
export interface Door {
  readonly trust: Trust
  readonly destination: Destination
  readonly by: Confirmed['by'] | 'answer'
}

/** Refuses, before anything is dialled, what neither the secrets nor the operator have confirmed. */
export async function openProxmoxDoor(inventory: Inventory, options: DoorOptions): Promise<Door> {
  const declared = await declaredTrust(inventory)
  const way = proxmoxWay(inventory)
  const wanted = declared === undefined ? way : { ...way, pin: pinOf(declared) }
  const confirmed = await findConfirmed(wanted, options)
  if (confirmed === undefined && options.ask === undefined) throw refused(wanted, inventory, options)
  let isAsked = false
  const ask = async (pin: string | undefined, fingerprint?: string) => {
    isAsked = true
    const seen = { ...wanted, ...(pin === undefined ? {} : { pin }) }
    const isAllowed = (await options.ask?.(unknown(seen, options.bound, fingerprint))) ?? false
    if (!isAllowed && options.bound !== undefined) throw refused(wanted, inventory, options)
    return isAllowed
  }
  const trust = await proxmoxTrust(inventory, {
    dialer: options.dialer,
    memory: options.pins,
    ...(options.notify === undefined ? {} : { notify: options.notify }),
    ...(confirmed?.fingerprint === undefined ? {} : { fingerprint: confirmed.fingerprint }),
    ...(options.ask === undefined ? {} : { askTrust: ({ fingerprint }) => ask(undefined, fingerprint) }),
  })
  const destination = { ...way, pin: pinOf(trust) }
  if (confirmed === undefined && !isAsked && !(await ask(destination.pin))) throw refused(wanted, inventory, options)
  if (isAsked) await rememberDestination(options.confirmedHere, destination)
  return { trust, destination, by: isAsked ? 'answer' : (confirmed?.by ?? 'answer') }
}

function unknown(
  wanted: WantedDestination,
  bound: Destination | undefined,
  fingerprint: string | undefined,
): UnknownDestination {
  const isBefore = (one: string) => bound?.to.includes(one) ?? false
  return {
    credential: 'API token for Proxmox',
    host: (wanted.to.find((one) => !isBefore(one)) ?? wanted.to[0] ?? '').replace(/:\d+$/, ''),
    destination: formatDestination(wanted),
    ...(bound === undefined ? {} : { before: formatDestination(bound) }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  }
}

function proxmoxWay({ settings: { proxmox } }: Inventory): WantedDestination {
  const { endpoints, ssh, socks } = proxmox
  const jump = ssh === undefined ? '' : `ssh://${ssh.user}@${formatTarget(ssh)}`
  const proxy = socks === undefined ? '' : `socks5://${new URL(socks).host}`
  const to = endpoints.map((endpoint) => formatTarget(parseEndpoint(endpoint)))
  return { to: [...new Set(to)].sort(), via: [proxy, jump].filter((part) => part !== '').join('+') }
}

function pinOf(trust: Trust): string {
  if (trust.kind === 'fingerprint') return fingerprintPin(trust.sha256)
  return trust.kind === 'ca' ? `ca:${createHash('sha256').update(trust.pem).digest('hex')}` : trust.kind
}

function refused(wanted: WantedDestination, { where }: Inventory, { bound }: Confirmations): PlanRefused {
  const named = formatDestination(wanted)
  const problem =
    bound === undefined
      ? `It is not confirmed yet that the API token for Proxmox may be sent to ${named}.`
      : `The API token for Proxmox is bound to ${formatDestination(bound)}, and the inventory would send it to ${named}.`
  const variable = isEnoughToName(wanted, bound)
    ? `PROXMOX_VE_ENDPOINT=${wanted.to.map((one) => `https://${one}`).join(',')}`
    : `${wholeVariable}='${named}'`
  return unconfirmedReceiver.refuse(problem, {
    subject: { kind: 'inventory', name: 'proxmox' },
    where: where('proxmox'),
    fix: `If that is right, run the same command on a terminal and confirm it, or set ${variable} in its environment. Else correct the inventory.`,
  })
}
