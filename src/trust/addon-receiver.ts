import type { PlanRefused } from '../errors.js'
import { unconfirmedReceiver } from '../findings/refusals/secrets.js'
import { formatTarget } from '../reach/reach-error.js'
import { type BoundCredential, type BoundTo, boundCredentials, type Destination } from '../secrets/bound-to.js'
import type { SecretsStore } from '../secrets/store.js'
import { isSealedWith, sealed } from './bound-seal.js'
import { covers, formatDestination } from './destination.js'
import type { AskDestination } from './proxmox-door.js'
import { recallDestination, rememberDestination } from './remembered-destination.js'
import { stateFile } from './state-folder.js'

/** A secret that an addon sends to an address in the inventory. */
export interface AddonDelivery {
  readonly addon: string
  readonly address: string
  readonly credential: string
  /** In the inventory. */
  readonly where: string
}

export interface ReceiverOptions {
  readonly store: SecretsStore
  /** Folders of what this computer knows. */
  readonly state: readonly string[]
  readonly ask?: AskDestination
}

/**
 * Passes if the secret may be sent to that host: the secrets say so, sealed with this very secret, or the operator does.
 * The inventory alone never decides it, and a secret of one addon is not taken for that of another.
 */
export async function settleReceiver(delivery: AddonDelivery, { store, state, ask }: ReceiverOptions): Promise<void> {
  const { addon, address, credential, where } = delivery
  const name = boundCredentials.find((one) => one === addon)
  if (name === undefined) throw new Error(`nothing records where the secret of ${addon} may be sent`)
  const wanted = destinationOf(address)
  const memory = (await store.find())?.memory
  const bound = boundCredentials.flatMap((one) => boundWith(one, memory?.boundTo?.[one], credential))
  if (bound.some((one) => covers(one, wanted))) return
  const confirmedHere = stateFile(state, `bound-${name}.json`)
  const here = await recallDestination(confirmedHere)
  const isConfirmedHere = bound.length === 0 && here !== undefined && covers(here, wanted)
  if (!isConfirmedHere) {
    const [before] = bound
    const unknown = {
      credential: `secret of the addon ${addon}`,
      host: wanted.to[0]?.replace(/:\d+$/, '') ?? '',
      destination: formatDestination(wanted),
      ...(before === undefined ? {} : { before: formatDestination(before) }),
    }
    if (!((await ask?.(unknown)) ?? false)) throw refused(addon, wanted, before, where)
    await rememberDestination(confirmedHere, wanted)
  }
  if (memory === undefined) return
  await store.remember({ boundTo: { [name]: sealed(name, wanted, [credential], memory.boundTo?.[name]) } })
}

function boundWith(name: BoundCredential, bound: BoundTo | undefined, credential: string): BoundTo[] {
  return bound !== undefined && isSealedWith(name, bound, credential) ? [bound] : []
}

/** `https://git.lan/fleet.git`, `ssh://git@git.lan/fleet.git` or `git@git.lan:fleet.git`. */
function destinationOf(address: string): Destination {
  const short = /^(?:[^/@]+@)?([^/:@]+):(?!\/\/)/.exec(address)
  if (short !== null) return { to: [formatTarget({ host: short[1] ?? '', port: 22 })], pin: 'system', via: '' }
  if (!URL.canParse(address)) return { to: [address], pin: 'system', via: '' }
  const { protocol, hostname, port } = new URL(address)
  const usual: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'ssh:': 22 }
  const target = { host: hostname, port: port === '' ? (usual[protocol] ?? 0) : Number(port) }
  return { to: [formatTarget(target)], pin: protocol === 'http:' ? 'insecure' : 'system', via: '' }
}

function refused(addon: string, wanted: Destination, before: Destination | undefined, where: string): PlanRefused {
  const named = formatDestination(wanted)
  const problem =
    before === undefined
      ? `It is not confirmed yet that the secret of the addon ${addon} may be sent to ${named}.`
      : `The secret of the addon ${addon} is bound to ${formatDestination(before)}, and the inventory would send it to ${named}.`
  return unconfirmedReceiver.refuse(problem, {
    subject: { kind: 'addon', name: addon },
    where,
    fix: 'If that is right, run ichor plan on a terminal and confirm it. Else correct the inventory.',
  })
}
