import { openBackups } from './backups.js'
import { createClock } from './clock.js'
import { UsageError } from './errors.js'
import type { Inventory } from './inventory/inventory.js'
import { resolveFile } from './inventory/referenced-files.js'
import { resolveSecretRef } from './inventory/resolve-secret.js'
import type { Settings } from './inventory/schema.js'
import type { SecretRef } from './inventory/secret-ref.js'
import { connectKubernetes } from './kubernetes/connect.js'
import { connectProxmox, type ProxmoxOptions } from './proxmox/client/connect.js'
import type { ProxmoxPort } from './proxmox/client/port.js'
import { type ApiToken, parseToken } from './proxmox/model/api-token.js'
import type { Dialer } from './reach/dialer.js'
import { createDialer } from './reach/index.js'
import type { Route, SshJump } from './reach/route.js'
import { openClusterLock } from './secrets/cluster-lock.js'
import { generateBundle } from './secrets/generate.js'
import { advanceRotation, beginRotation } from './secrets/rotation.js'
import type { SecretsStore } from './secrets/store.js'
import { readVaultValue } from './secrets/vault/vault-value.js'
import { secretsStore } from './secrets-store.js'
import { connectTalos } from './talos/api/connect.js'
import { adminCertificate, clientCertificate, type TalosRole } from './talos/clientconfig/client-certificate.js'
import { renewedAtHalfLife } from './talos/clientconfig/renewed.js'
import { connectFactory } from './talos/image/factory.js'
import { recallHosts } from './trust/proxmox-hosts.js'
import { proxmoxTrust, type TrustOptions } from './trust/proxmox-trust.js'
import { stateFile, stateFolders } from './trust/state-folder.js'
import type { Clock, SecretsPort, World } from './world.js'

/** What a run needs besides its inventory. */
export interface ConnectOptions {
  readonly env: NodeJS.ProcessEnv
  /** Receives notices for the user, such as the path of a new age key. */
  readonly notify: (text: string) => void
  readonly onCall?: NonNullable<ProxmoxOptions['onCall']>
  /** Asks whether an unknown Proxmox host is the intended one; without it, unknown hosts are refused. */
  readonly askTrust?: NonNullable<TrustOptions['askTrust']>
  /** An administrator, for what a token must not do. */
  readonly login?: { readonly user: string; readonly password: string }
  /** Overrides the inventory's token: for testing a new one. */
  readonly token?: ApiToken
  /** A lab instead of the real world. */
  readonly lab?: LabAccess
  /** The minimum Talos role of the command: `os:admin` changes nodes and reads their configs. */
  readonly talosRoles?: readonly TalosRole[]
  /** That of this computer or of the lab by default. */
  readonly clock?: Clock
  /** Proxmox calls fail: for commands that only need the nodes. */
  readonly withoutProxmox?: boolean
  /** Uses the token of the inventory or the environment even in a lab, because it is what is checked. */
  readonly usesOwnToken?: boolean
}

/** How a run connects to a lab: through its SOCKS proxy, so that addresses of the inventory work unchanged. */
export interface LabAccess {
  readonly endpoint: string
  readonly tokenId: string
  readonly tokenSecret: string
  readonly fingerprint: string
  readonly socks: { readonly host: string; readonly port: number }
  /** Used instead of SOCKS if the inventory has a jump host. */
  readonly ssh?: SshJump
  readonly factory: string
  readonly speed: number
}

export interface Connected {
  readonly world: World
  close(): Promise<void>
}

/** Lifetime of client certificates, which are renewed at half of it. */
const lifetimeHours = 24

/** Builds the world of an inventory. Does not dial before the first call. */
export async function connect(inventory: Inventory, options: ConnectOptions): Promise<Connected> {
  const { settings, folder } = inventory
  const { lab } = options
  const isLab = lab !== undefined
  const store = secretsStore(inventory, { ...options, isLab })
  const state = stateFolders({ folder, clusterId: await openClusterLock(folder, isLab).find() }, options.env)
  const clock = options.clock ?? createClock(lab?.speed ?? 1)
  const reveal = async (ref: SecretRef) =>
    resolveSecretRef(ref, {
      env: options.env,
      folder,
      values: (await store.find())?.memory.values ?? {},
      readVault: (reference) => readVaultValue(reference, options.env),
    })
  const dialer = createDialer(lab === undefined ? await routeOf(settings, folder, reveal) : labRoute(lab))
  const proxmox =
    options.withoutProxmox === true && lab === undefined
      ? withoutProxmox()
      : await proxmoxOf(inventory, { ...options, dialer, clock, reveal, state })
  const bundle = async () => {
    const file = await store.find()
    if (file === undefined) throw new Error('the cluster has no secrets yet')
    return file.bundle
  }
  const credentials = {
    talos: renewedAtHalfLife(lifetimeHours, clock, async (now) =>
      clientCertificate(await bundle(), { lifetimeHours, roles: options.talosRoles ?? ['os:admin'], now }),
    ),
    kubernetes: renewedAtHalfLife(lifetimeHours, clock, async (now) =>
      adminCertificate(await bundle(), { lifetimeHours, now }),
    ),
  }
  const talos = connectTalos({ dialer, clock, credentials: credentials.talos })
  const kubernetes = connectKubernetes({ dialer, clock, credentials: credentials.kubernetes })
  const secrets = secretsPort(store, () => {
    credentials.talos.forget()
    credentials.kubernetes.forget()
  })
  const factory = connectFactory({ url: lab?.factory ?? settings.talos.factory_url, clock })
  const backups = openBackups(inventory, { secrets: store, talos, clock, env: options.env, isLab, reveal })
  return {
    world: { proxmox, talos, kubernetes, factory, secrets, backups, dialer, clock },
    close: async () => {
      await Promise.all([proxmox.close(), talos.close(), kubernetes.close()])
      await dialer.close()
    },
  }
}

interface ProxmoxAccess extends ConnectOptions {
  readonly dialer: Dialer
  readonly clock: Clock
  readonly reveal: Reveal
  readonly state: readonly string[]
}

async function proxmoxOf(inventory: Inventory, options: ProxmoxAccess): Promise<ProxmoxPort> {
  const { lab, reveal, state, dialer, clock } = options
  const trustMemory = stateFile(state, 'trust.json')
  const access =
    lab === undefined
      ? await realProxmox(inventory, reveal, { ...options, dialer, memory: trustMemory })
      : labProxmox(lab)
  const memory = await recallHosts(stateFile(state, lab === undefined ? 'hosts.json' : 'hosts.lab.json'), access)
  return connectProxmox({
    ...access,
    ...(lab !== undefined && options.usesOwnToken === true ? { auth: await tokenOf(inventory, reveal) } : {}),
    ...(options.token === undefined ? {} : { auth: { kind: 'token' as const, ...options.token } }),
    dialer,
    clock,
    otherHosts: memory.hosts,
    notify: options.notify,
    onHostsLearned: (hosts) => void memory.remember(hosts),
    ...(options.onCall === undefined ? {} : { onCall: options.onCall }),
  })
}

/** For commands that only need the nodes: a call is a bug. */
function withoutProxmox(): ProxmoxPort {
  const calls = new Proxy(
    {},
    {
      get: (_calls, call) => () => {
        throw new Error(`${String(call)} was called, but this command does not use Proxmox`)
      },
    },
  )
  const port: Partial<ProxmoxPort> = { close: async () => {} }
  return new Proxy(port as ProxmoxPort, {
    get: (own, name) => (name === 'close' ? own.close : name === 'then' ? undefined : calls),
  })
}

/** `onRotated` is called when other certificates must be presented and trusted from then on. */
function secretsPort(store: SecretsStore, onRotated: () => void): SecretsPort {
  return {
    location: store.location,
    find: () => store.find(),
    make: async (contract) => {
      const bundle = await generateBundle(contract)
      await store.create({ bundle, memory: { bootstrapped: false, sealed: true, contract, values: {} } })
    },
    remember: (change) => store.remember(change),
    beginRotation: async (state, fresh) => {
      await store.remember(beginRotation(state, fresh))
      onRotated()
    },
    advanceRotation: async (from, seen) => {
      const file = await store.find()
      if (file?.memory.rotation?.phase !== from) return
      await store.remember(advanceRotation(file, seen))
      onRotated()
    },
    remove: () => store.remove(),
  }
}

/** A lab receives the caller's identity, so that a fault can kill its caller. */
function labProxmox({ endpoint, tokenId, tokenSecret, fingerprint }: LabAccess) {
  return {
    endpoints: [endpoint],
    auth: { kind: 'token' as const, id: tokenId, secret: tokenSecret },
    trust: { kind: 'fingerprint' as const, sha256: fingerprint },
    headers: { 'x-ichor-pid': String(process.pid) },
  }
}

function labRoute({ ssh, socks }: LabAccess): Route {
  return ssh === undefined ? { socks } : { ssh }
}

type Reveal = (ref: SecretRef) => Promise<string>

async function realProxmox(inventory: Inventory, reveal: Reveal, options: ConnectOptions & TrustOptions) {
  const { settings, where } = inventory
  const { proxmox } = settings
  if (proxmox.endpoints.length === 0) {
    throw new UsageError('No Proxmox endpoint is configured.', {
      where: where('proxmox'),
      fix: 'Set proxmox.endpoint, or PROXMOX_VE_ENDPOINT in the environment.',
    })
  }
  return {
    endpoints: proxmox.endpoints,
    auth: await authenticationOf(inventory, reveal, options),
    trust: await proxmoxTrust(inventory, options),
  }
}

async function authenticationOf(inventory: Inventory, reveal: Reveal, { login, token }: ConnectOptions) {
  if (login !== undefined) return { kind: 'ticket' as const, ...login }
  return token === undefined ? tokenOf(inventory, reveal) : { kind: 'token' as const, ...token }
}

async function tokenOf({ settings: { proxmox }, where }: Inventory, reveal: Reveal) {
  const token =
    proxmox.token_secret === undefined ? undefined : parseToken(await reveal(proxmox.token_secret), proxmox.token_id)
  if (token !== undefined) return { kind: 'token' as const, ...token }
  const isHalf = proxmox.token_secret !== undefined
  throw new UsageError(isHalf ? 'The API token for Proxmox has no id.' : 'There is no API token for Proxmox.', {
    where: where('proxmox'),
    fix: isHalf
      ? 'Set proxmox.token_id, or write the token behind proxmox.token_secret as user@realm!name=secret.'
      : 'Set proxmox.token_secret, or PROXMOX_VE_API_TOKEN. ichor access creates a token with the least privileges.',
  })
}

async function routeOf({ proxmox: { ssh, socks } }: Settings, folder: string, reveal: Reveal): Promise<Route> {
  const proxy = socks === undefined ? undefined : new URL(socks)
  return {
    ...(proxy === undefined ? {} : { socks: { host: proxy.hostname, port: Number(proxy.port) } }),
    ...(ssh === undefined
      ? {}
      : {
          ssh: {
            host: ssh.host,
            port: ssh.port,
            user: ssh.user,
            knownHosts: [resolveFile(folder, ssh.known_hosts)],
            driver: ssh.driver === 'openssh' ? ('openssh' as const) : ('built-in' as const),
            ...(ssh.key === undefined ? {} : { key: resolveFile(folder, ssh.key) }),
            ...(ssh.passphrase === undefined ? {} : { passphrase: await reveal(ssh.passphrase) }),
          },
        }),
  }
}
