import { UsageError } from '../errors.js'
import { splitEndpoints } from '../inventory/environment.js'
import { proxmoxEndpoint } from '../inventory/schema/values.js'
import { parseEndpoint } from '../proxmox/client/transport/endpoint.js'
import { formatTarget } from '../reach/reach-error.js'
import type { Destination } from '../secrets/bound-to.js'
import { covers, fingerprintIn, fingerprintPin, parseDestination, type WantedDestination } from './destination.js'
import { recallDestination } from './remembered-destination.js'
import type { StateFile } from './state-folder.js'

export interface Confirmations {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the secrets say, if it was written for this credential. */
  readonly bound: Destination | undefined
  /** By the same command, for another credential. */
  readonly confirmed?: Destination
  /** What the operator confirmed on this computer. */
  readonly confirmedHere: StateFile
  /** Fingerprints that the operator confirmed, by host, also before destinations were bound. */
  readonly pins: StateFile
  /** Hosts that a Proxmox cluster reported, and whom it was asked through. */
  readonly hosts: StateFile
}

/** What confirmed it, and the certificate to expect unless the inventory names one. */
export interface Confirmed {
  readonly by: 'secrets' | 'cluster' | 'computer' | 'environment'
  readonly fingerprint?: string
}

type Find = (wanted: WantedDestination, known: Confirmations) => Confirmed | undefined | Promise<Confirmed | undefined>

/** Why the token may be sent there; `undefined` if that is not confirmed yet. Nothing is dialled. */
export async function findConfirmed(wanted: WantedDestination, known: Confirmations): Promise<Confirmed | undefined> {
  for (const find of [
    bySecrets,
    byCommand,
    byCluster,
    byComputer,
    byWholeVariable,
    byEndpointVariable,
    byEarlierRuns,
  ] as Find[]) {
    const found = await find(wanted, known)
    if (found !== undefined) return found
  }
  return undefined
}

const bySecrets: Find = (wanted, { bound }) =>
  bound !== undefined && covers(bound, wanted) ? { by: 'secrets', ...pinned(bound.pin) } : undefined

const byCommand: Find = (wanted, { confirmed }) =>
  confirmed !== undefined && covers(confirmed, wanted) ? { by: 'computer', ...pinned(confirmed.pin) } : undefined

/** Until the secrets hold it: what they say was confirmed later, perhaps by another operator. */
const byComputer: Find = async (wanted, { bound, confirmedHere }) => {
  if (bound !== undefined) return undefined
  const here = await recallDestination(confirmedHere)
  return here !== undefined && covers(here, wanted) ? { by: 'computer', ...pinned(here.pin) } : undefined
}

/** Another host of the same cluster, as reported by one that is bound. */
const byCluster: Find = async (wanted, { bound, hosts }) => {
  const learned = await recallLearned(hosts)
  if (bound === undefined || learned === undefined) return undefined
  if (!covers(bound, { ...learned.from, via: bound.via })) return undefined
  const [fingerprint] = learned.hosts.flatMap(({ to, pin }) => (to === wanted.to[0] ? [pin] : []))
  const isBoundPin = wanted.pin === bound.pin || (wanted.pin === undefined && bound.pin === 'system')
  const isTheirs = fingerprint !== undefined && (wanted.pin === undefined || wanted.pin === fingerprint)
  const to = [...bound.to, ...learned.hosts.map((host) => host.to)]
  if (bound.via !== wanted.via || !wanted.to.every((one) => to.includes(one))) return undefined
  if (isBoundPin) return { by: 'cluster' }
  return isTheirs ? { by: 'cluster', ...pinned(fingerprint) } : undefined
}

const byWholeVariable: Find = (wanted, { env }) => {
  const text = env[wholeVariable]
  if (text === undefined || text === '') return undefined
  const given = parseDestination(text)
  if (given === undefined) {
    throw new UsageError(`${wholeVariable} is not a destination of the token.`, {
      where: `environment variable ${wholeVariable}`,
      fix: `Set it to hosts and pin, such as ${wholeVariable}='pve1.lan:8006 fingerprint:AB:CD…', or unset it.`,
    })
  }
  return covers(given, wanted) ? { by: 'environment', ...pinned(given.pin) } : undefined
}

/** All of it, for what the variable of the endpoint cannot say. */
export const wholeVariable = 'ICHOR_PROXMOX_BOUND_TO'

/** It names the host, and neither the pin nor the way: these must not come from the inventory together. */
const byEndpointVariable: Find = (wanted, { env, bound }) =>
  isEnoughToName(wanted, bound) && namesAll(env.PROXMOX_VE_ENDPOINT, wanted) ? { by: 'environment' } : undefined

/** Whether the name of the host alone settles who receives the token. */
export function isEnoughToName(wanted: WantedDestination, bound: Destination | undefined): boolean {
  const isOtherPin = bound !== undefined && wanted.to.every((one) => bound.to.includes(one)) && bound.pin !== wanted.pin
  return !isOtherPin && (wanted.pin === undefined || (wanted.via === '' && wanted.pin !== 'insecure'))
}

function namesAll(variable: string | undefined, { to }: WantedDestination): boolean {
  const named = splitEndpoints(variable).flatMap((text) => {
    const parsed = proxmoxEndpoint.safeParse(text)
    return parsed.success ? [hostOf(parsed.data)] : []
  })
  return to.every((one) => named.includes(one))
}

/** A cluster from before destinations were bound: its runs have left what they trusted. */
const byEarlierRuns: Find = async (wanted, { bound, confirmedHere, pins, hosts }) => {
  if (bound !== undefined || (await recallDestination(confirmedHere)) !== undefined) return undefined
  const kept = (await pins.read()) as Record<string, unknown> | undefined
  for (const host of wanted.to) {
    const sha256 = typeof kept === 'object' && kept !== null && Object.hasOwn(kept, host) ? kept[host] : undefined
    const pin = typeof sha256 === 'string' ? fingerprintPin(sha256) : undefined
    if (pin !== undefined && (wanted.pin === undefined || wanted.pin === pin)) return { by: 'computer', ...pinned(pin) }
  }
  const learned = await recallLearned(hosts)
  const isSame = learned !== undefined && covers({ ...learned.from, via: wanted.via }, wanted)
  return isSame && (wanted.pin !== 'insecure' || wanted.via === '')
    ? { by: 'computer', ...pinned(learned.from.pin) }
    : undefined
}

interface Learned {
  readonly from: Destination
  readonly hosts: readonly { readonly to: string; readonly pin: string }[]
}

/** As `recallHosts` writes it. */
async function recallLearned(file: StateFile): Promise<Learned | undefined> {
  const { endpoints, pin, hosts } = ((await file.read()) ?? {}) as Record<string, unknown>
  if (typeof endpoints !== 'string' || typeof pin !== 'string' || !Array.isArray(hosts)) return undefined
  const named = hosts.flatMap((host: unknown) => {
    const { address, port, sha256 } = (host ?? {}) as Record<string, unknown>
    const isComplete = typeof address === 'string' && typeof port === 'number' && typeof sha256 === 'string'
    return isComplete ? [{ to: formatTarget({ host: address, port }), pin: fingerprintPin(sha256) }] : []
  })
  return { from: { to: endpoints.split(' ').map(hostOf), pin: pinFrom(pin), via: '' }, hosts: named }
}

function pinFrom(text: string): string {
  if (text === 'system' || text === 'insecure') return text
  return text.startsWith('ca ') ? `ca:${text.slice('ca '.length)}` : fingerprintPin(text)
}

function hostOf(endpoint: string): string {
  return formatTarget(parseEndpoint(endpoint))
}

function pinned(pin: string | undefined): { fingerprint?: string } {
  const fingerprint = fingerprintIn(pin)
  return fingerprint === undefined ? {} : { fingerprint }
}
