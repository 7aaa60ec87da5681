import type { ConnectOptions, LabAccess } from './connect.js'
import { reasonOf, UsageError } from './errors.js'
import type { Inventory } from './inventory/inventory.js'
import { connectProxmox } from './proxmox/client/connect.js'
import type { ProxmoxPort } from './proxmox/client/port.js'
import type { Dialer } from './reach/dialer.js'
import type { Destination } from './secrets/bound-to.js'
import type { SecretsStore } from './secrets/store.js'
import { findProxmoxBinding, keepProxmoxBinding } from './trust/proxmox-binding.js'
import { openProxmoxDoor } from './trust/proxmox-door.js'
import { recallHosts } from './trust/proxmox-hosts.js'
import { proxmoxToken, tokenSource } from './trust/proxmox-token.js'
import type { Reveal } from './trust/reveal.js'
import { stateFile } from './trust/state-folder.js'
import type { Clock } from './world.js'

export interface ProxmoxAccess extends ConnectOptions {
  readonly dialer: Dialer
  readonly clock: Clock
  readonly reveal: Reveal
  readonly store: SecretsStore
  /** Folders of what this computer knows. */
  readonly state: readonly string[]
}

/** The client, and what writes down where its token went. */
export interface OpenProxmox {
  readonly port: ProxmoxPort
  readonly destination?: Destination
  /** Into the secrets, if there are any; also for tokens that were made since. */
  keepBinding(fresh?: readonly string[]): Promise<void>
}

export async function openProxmox(inventory: Inventory, options: ProxmoxAccess): Promise<OpenProxmox> {
  const { lab, state, dialer, clock, reveal } = options
  const { keepBinding, door, ...access } =
    lab === undefined
      ? await realProxmox(inventory, options)
      : { ...labProxmox(lab), keepBinding: async () => {}, door: undefined }
  const memory = await recallHosts(stateFile(state, lab === undefined ? 'hosts.json' : 'hosts.lab.json'), access)
  const port = connectProxmox({
    ...access,
    ...(lab !== undefined && options.usesOwnToken === true ? { auth: await ownToken(inventory, reveal) } : {}),
    ...(options.token === undefined ? {} : { auth: { kind: 'token' as const, ...options.token } }),
    dialer,
    clock,
    otherHosts: memory.hosts,
    notify: options.notify,
    onHostsLearned: (hosts) => void memory.remember(hosts),
    ...(options.onCall === undefined ? {} : { onCall: options.onCall }),
  })
  return { port, keepBinding, ...(door === undefined ? {} : { destination: door.destination }) }
}

async function ownToken(inventory: Inventory, reveal: Reveal) {
  const source = tokenSource(inventory.settings.proxmox.token_secret)
  return { kind: 'token' as const, source, ...(await proxmoxToken(inventory, reveal)) }
}

/** A lab receives the caller's identity, so that a fault can kill its caller. */
function labProxmox({ endpoint, tokenId, tokenSecret, fingerprint }: LabAccess) {
  return {
    endpoints: [endpoint],
    auth: { kind: 'token' as const, id: tokenId, secret: tokenSecret },
    trust: { kind: 'fingerprint' as const, sha256: fingerprint },
    headers: { 'x-ichor-pid': String(process.pid) },
    hasOwnTime: true,
  }
}

async function realProxmox(inventory: Inventory, options: ProxmoxAccess) {
  const { proxmox } = inventory.settings
  if (proxmox.endpoints.length === 0) {
    throw new UsageError('No Proxmox endpoint is configured.', {
      where: inventory.where('proxmox'),
      fix: 'Set proxmox.endpoint, or PROXMOX_VE_ENDPOINT in the environment.',
    })
  }
  const { login, store, state, dialer, env, notify, askDestination: ask } = options
  const auth = await authentication(inventory, options)
  const credential = auth.kind === 'token' ? auth.secret : await storedSecret(inventory, options)
  const binding = { store, credential, isAdministrator: login !== undefined }
  const door = await openProxmoxDoor(inventory, {
    env,
    dialer,
    notify,
    // A login must not fail because secrets cannot be opened, which it does not need.
    bound: await findProxmoxBinding(binding).catch((thrown: unknown) => {
      if (login === undefined) throw thrown
      return undefined
    }),
    confirmedHere: stateFile(state, 'bound.json'),
    pins: stateFile(state, 'trust.json'),
    hosts: stateFile(state, 'hosts.json'),
    ...(options.confirmed === undefined ? {} : { confirmed: options.confirmed }),
    ...(ask === undefined ? {} : { ask }),
  })
  const keepBinding = (fresh?: readonly string[]) =>
    keepProxmoxBinding(door, binding, fresh).catch((thrown: unknown) =>
      notify(`Where the token may be sent could not be written into the secrets: ${reasonOf(thrown)}`),
    )
  if (door.by === 'answer') await keepBinding()
  return { endpoints: proxmox.endpoints, auth, trust: door.trust, door, keepBinding }
}

async function authentication(inventory: Inventory, { login, token, reveal }: ProxmoxAccess) {
  if (login !== undefined) return { kind: 'ticket' as const, ...login }
  return token === undefined ? ownToken(inventory, reveal) : { kind: 'token' as const, ...token }
}

/** A binding is proven by the token, also for an administrator's password. */
async function storedSecret(inventory: Inventory, { reveal }: ProxmoxAccess): Promise<string | undefined> {
  return proxmoxToken(inventory, reveal).then(
    ({ secret }) => secret,
    () => undefined,
  )
}
