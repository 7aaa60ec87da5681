import type { Client, ClientChannel } from 'ssh2'
import { createBridge } from './bridge.js'
import type { Dialer, Target } from './dialer.js'
import { loadHostKeyCheck, whereOf } from './host-key.js'
import { formatTarget, ReachError, reachErrorFrom } from './reach-error.js'
import type { SshJump } from './route.js'
import { loadLogins } from './ssh-login.js'

/**
 * Through an SSH host. All forwards share one connection to it, which is re-established after a disconnect. Only
 * forwards are opened: no command is run there.
 */
export function createSshDialer(jump: SshJump, via: Dialer): Dialer {
  const bridge = createBridge()
  let shared: Promise<Client> | undefined

  const forget = (gone: Promise<Client>) => {
    if (shared === gone) shared = undefined
  }
  const connection = () => {
    if (shared !== undefined) return shared
    const fresh = logIn(jump, via, () => forget(fresh))
    fresh.catch(() => forget(fresh))
    shared = fresh
    return fresh
  }
  const openChannel = async (on: Promise<Client>, target: Target) => forward(await on, jump, target)

  return {
    async dial(target, signal) {
      signal.throwIfAborted()
      const known = shared
      const used = connection()
      try {
        return await bridge.toSocket(await unlessAborted(openChannel(used, target), signal))
      } catch (thrown) {
        if (used !== known || !isCut(thrown) || signal.aborted) throw thrown
        forget(used)
        return bridge.toSocket(await unlessAborted(openChannel(connection(), target), signal))
      }
    },
    async close() {
      const client = await shared?.catch(() => undefined)
      client?.end()
      await bridge.close()
      await via.close()
    },
  }
}

/** A connection that broke while idle is noticed at its next use. */
function isCut(thrown: unknown): boolean {
  return thrown instanceof ReachError && thrown.reason === 'cut'
}

/** The connection is shared, so an aborted caller does not end it for the others; only its channel is closed. */
function unlessAborted(opening: Promise<ClientChannel>, signal: AbortSignal): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason)
      void opening.then((channel) => channel.destroy()).catch(() => {})
    }
    signal.addEventListener('abort', onAbort, { once: true })
    void opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

const readyTimeoutMs = 20_000

async function logIn(jump: SshJump, via: Dialer, onClose: () => void): Promise<Client> {
  const [check, logins] = await Promise.all([loadHostKeyCheck(jump), loadLogins(jump)])
  const at = { host: jump.host, port: jump.port ?? 22 }
  const socket = await via.dial(at, AbortSignal.timeout(readyTimeoutMs))
  const { Client: SshClient } = (await import('ssh2')).default
  return new Promise((resolve, reject) => {
    const client = new SshClient()
    // Every forward that is being opened listens for its end.
    client.setMaxListeners(0)
    let problem: ReachError | undefined
    client.on('ready', () => resolve(client))
    client.on('error', (error) => {
      // An agent that does not respond is skipped; the next login method follows.
      if (error.level !== 'agent') reject(problem ?? loginFailure(error, jump, at))
    })
    client.on('close', () => {
      onClose()
      reject(problem ?? reachErrorFrom({ code: 'ECONNRESET' }, at))
    })
    client.connect({
      sock: socket,
      username: jump.user,
      algorithms: { serverHostKey: check.algorithms },
      hostVerifier: (key: Buffer) => {
        problem = check.findProblem(key)
        return problem === undefined
      },
      authHandler: logins,
      readyTimeout: readyTimeoutMs,
      keepaliveInterval: 10_000,
      keepaliveCountMax: 3,
    })
  })
}

function loginFailure(error: Error & { level?: string }, jump: SshJump, at: Target): ReachError {
  if (error.level !== 'client-authentication') return reachErrorFrom(error, at)
  return new ReachError(
    'refused-login',
    `The SSH host ${jump.host} does not let ${jump.user} in with the keys we have.`,
    {
      where: whereOf(jump),
      fix: `Check proxmox.ssh.user, and that the public key is in the authorized_keys of ${jump.user} on ${jump.host}.`,
      cause: error,
    },
  )
}

function forward(client: Client, jump: SshJump, target: Target): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(reachErrorFrom({ code: 'ECONNRESET' }, { host: jump.host, port: jump.port ?? 22 }))
    client.once('close', onClose)
    try {
      client.forwardOut('127.0.0.1', 0, target.host, target.port, (error, channel) => {
        client.off('close', onClose)
        if (error === undefined) resolve(channel)
        else reject(forwardFailure(error, jump, target))
      })
    } catch {
      onClose()
    }
  })
}

const administrativelyProhibited = 1

/** SSH reports only whether a forward was forbidden or failed; the server's message has the reason. */
function forwardFailure(error: Error & { reason?: unknown }, jump: SshJump, target: Target): ReachError {
  const where = `${formatTarget(target)} through ${whereOf(jump)}`
  if (error.reason === administrativelyProhibited || error.reason === 'ADMINISTRATIVELY_PROHIBITED') {
    return new ReachError(
      'refused-forward',
      `The SSH host ${jump.host} refuses to forward to ${formatTarget(target)}.`,
      {
        where,
        fix: `Allow it in the sshd_config of ${jump.host}: AllowTcpForwarding yes, and no PermitOpen that leaves ${formatTarget(target)} out.`,
        cause: error,
      },
    )
  }
  const isClosed = /refused/i.test(error.message)
  return new ReachError(
    isClosed ? 'port-closed' : 'unreachable',
    isClosed
      ? `${target.host} answers to ${jump.host}, but nothing listens on port ${target.port}.`
      : `The SSH host ${jump.host} cannot reach ${formatTarget(target)}: ${error.message}.`,
    { where, fix: `Check that ${target.host} is up, and that ${jump.host} has a route to it.`, cause: error },
  )
}
