import { openBackups } from './backups.js'
import { createClock } from './clock.js'
import type { Inventory } from './inventory/inventory.js'
import { resolveFile } from './inventory/referenced-files.js'
import type { Settings } from './inventory/schema.js'
import { connectKubernetes } from './kubernetes/connect.js'
import { type OpenProxmox, openProxmox } from './open-proxmox.js'
import type { ProxmoxOptions } from './proxmox/client/connect.js'
import type { ProxmoxPort } from './proxmox/client/port.js'
import type { ApiToken } from './proxmox/model/api-token.js'
import { createDialer } from './reach/index.js'
import type { Route, SshJump } from './reach/route.js'
import type { Destination } from './secrets/bound-to.js'
import { openClusterLock } from './secrets/cluster-lock.js'
import { generateBundle } from './secrets/generate.js'
import { advanceRotation, beginRotation } from './secrets/rotation.js'
import type { SecretsStore } from './secrets/store.js'
import { secretsStore } from './secrets-store.js'
import { connectTalos } from './talos/api/connect.js'
import { adminCertificate, clientCertificate, type TalosRole } from './talos/clientconfig/client-certificate.js'
import { renewedAtHalfLife } from './talos/clientconfig/renewed.js'
import { connectFactory } from './talos/image/factory.js'
import { settleReceiver } from './trust/addon-receiver.js'
import type { AskDestination } from './trust/proxmox-door.js'
import { type Reveal, revealer } from './trust/reveal.js'
import { stateFolders } from './trust/state-folder.js'
import type { Clock, SecretsPort, World } from './world.js'

/** What a run needs besides its inventory. */
export interface ConnectOptions {
  readonly env: NodeJS.ProcessEnv
  /** Receives notices for the user, such as the path of a new age key. */
  readonly notify: (text: string) => void
  readonly onCall?: NonNullable<ProxmoxOptions['onCall']>
  /** Asks whether a credential may be sent to an unconfirmed destination; without it, that is refused. */
  readonly askDestination?: AskDestination
  /** Where the same command has been allowed to send a credential for Proxmox. */
  readonly confirmed?: Destination
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
  /** The addresses on this computer that stand for those of the lab: clients reach them without a proxy. */
  loopbacksOf?(addresses: readonly string[]): Promise<readonly string[]>
}

export interface Connected {
  readonly world: World
  /** Where the token for Proxmox is sent; missing in a lab. */
  readonly destination?: Destination
  /** Notes in the secrets, if there are any, where the token for Proxmox may be sent; also for tokens made since. */
  keepBinding(fresh?: readonly string[]): Promise<void>
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
  const reveal = revealer(inventory, store, options.env)
  const dialer = createDialer(lab === undefined ? await routeOf(settings, folder, reveal) : labRoute(lab))
  const {
    port: proxmox,
    destination,
    keepBinding,
  }: OpenProxmox = options.withoutProxmox === true && lab === undefined
    ? { port: withoutProxmox(), keepBinding: async () => {} }
    : await openProxmox(inventory, { ...options, dialer, clock, reveal, state, store })
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
  const ask = options.askDestination
  const secrets = secretsPort(store, {
    settleAddon: (delivery) => settleReceiver(delivery, { store, state, ...(ask === undefined ? {} : { ask }) }),
    onMade: keepBinding,
    onRotated: () => {
      credentials.talos.forget()
      credentials.kubernetes.forget()
    },
  })
  const factory = connectFactory({ url: lab?.factory ?? settings.talos.factory_url, clock })
  const backups = openBackups(inventory, { env: options.env, secrets: store, talos, clock, isLab, state })
  return {
    world: { proxmox, talos, kubernetes, factory, secrets, backups, dialer, clock },
    keepBinding,
    ...(destination === undefined ? {} : { destination }),
    close: async () => {
      await Promise.all([proxmox.close(), talos.close(), kubernetes.close()])
      await dialer.close()
    },
  }
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

interface SecretsEvents extends Pick<SecretsPort, 'settleAddon'> {
  onMade(): Promise<void>
  /** Other certificates must be presented and trusted from then on. */
  onRotated(): void
}

function secretsPort(store: SecretsStore, { settleAddon, onMade, onRotated }: SecretsEvents): SecretsPort {
  return {
    location: store.location,
    find: () => store.find(),
    make: async (contract) => {
      const bundle = await generateBundle(contract)
      await store.create({ bundle, memory: { bootstrapped: false, sealed: true, contract, values: {} } })
      await onMade()
    },
    remember: (change) => store.remember(change),
    settleAddon,
    beginRotation: async (state, fresh) => {
      const file = await store.find()
      if (file === undefined) throw new Error('no secrets to rotate')
      await store.remember(beginRotation(file, state, fresh))
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

function labRoute({ ssh, socks }: LabAccess): Route {
  return ssh === undefined ? { socks } : { ssh }
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
            ...(ssh.passphrase === undefined ? {} : { passphrase: await reveal(ssh.passphrase, 'ssh-passphrase') }),
          },
        }),
  }
}
