import { isIPv4, isIPv6, type Socket } from 'node:net'
import { parseAddress } from '../cluster/address.js'
import type { Dialer, Target } from './dialer.js'
import { formatTarget, ReachError, type ReachReason, reachErrorFrom } from './reach-error.js'
import type { SocksProxy } from './route.js'

/** Through a SOCKS5 proxy (RFC 1928); the proxy resolves names. */
export function createSocksDialer(proxy: SocksProxy, via: Dialer): Dialer {
  return {
    async dial(target, signal) {
      const socket = await via.dial(proxy, signal).catch((thrown: unknown) => {
        throw signal.aborted ? thrown : proxySilent(proxy, reachErrorFrom(thrown, proxy))
      })
      const onAbort = () => socket.destroy()
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        const reader = readFrom(socket, proxy)
        await probe(socket, reader, proxy)
        await requestConnection(socket, reader, proxy, target)
        reader.release()
        return socket
      } catch (thrown) {
        socket.destroy()
        if (signal.aborted) throw signal.reason
        throw reachErrorFrom(thrown, proxy)
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    close: () => via.close(),
  }
}

const noAuthentication = 0
const userAndPassword = 2

async function probe(socket: Socket, reader: Reader, proxy: SocksProxy): Promise<void> {
  const method = proxy.username === undefined ? noAuthentication : userAndPassword
  socket.write(Buffer.from([5, 1, method]))
  const [version, chosen] = await reader.take(2)
  if (version !== 5) throw notSocks(proxy)
  if (chosen !== method) throw loginRefused(proxy)
  if (method === userAndPassword) await logIn(socket, reader, proxy)
}

/** RFC 1929. */
async function logIn(socket: Socket, reader: Reader, proxy: SocksProxy): Promise<void> {
  const user = Buffer.from(proxy.username ?? '')
  const password = Buffer.from(proxy.password ?? '')
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]))
  const [, status] = await reader.take(2)
  if (status !== 0) throw loginRefused(proxy)
}

async function requestConnection(socket: Socket, reader: Reader, proxy: SocksProxy, target: Target): Promise<void> {
  const port = Buffer.alloc(2)
  port.writeUInt16BE(target.port)
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), encodeHost(target.host), port]))
  const [version, reply = 1, , kind] = await reader.take(4)
  if (version !== 5) throw notSocks(proxy)
  if (reply !== 0) throw connectionRefused(reply, proxy, target)
  const length = kind === 1 ? 4 : kind === 4 ? 16 : (await reader.take(1)).readUInt8(0)
  await reader.take(length + 2)
}

function encodeHost(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split('.').map(Number)])
  if (isIPv6(host)) return Buffer.concat([Buffer.from([4]), ipv6Bytes(host)])
  const name = Buffer.from(host)
  return Buffer.concat([Buffer.from([3, name.length]), name])
}

function ipv6Bytes(host: string): Buffer {
  const value = parseAddress(host)?.value ?? 0n
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex')
}

/** Reads exact numbers of bytes from the proxy. */
interface Reader {
  take(length: number): Promise<Buffer>
  /** Puts back what was read too far, for the next owner of the socket. */
  release(): void
}

function readFrom(socket: Socket, proxy: SocksProxy): Reader {
  let held = Buffer.alloc(0)
  return {
    async take(length) {
      while (held.length < length) {
        const bytes: Buffer | null = socket.read()
        if (bytes !== null) held = Buffer.concat([held, bytes])
        else if (socket.readableEnded || socket.destroyed) throw proxyHungUp(proxy)
        else await untilReadable(socket)
      }
      const taken = held.subarray(0, length)
      held = held.subarray(length)
      return taken
    },
    release: () => {
      if (held.length > 0) socket.unshift(held)
    },
  }
}

function untilReadable(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      for (const event of ['readable', 'end', 'close']) socket.off(event, onReadable)
      socket.off('error', settle)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onReadable = () => settle()
    for (const event of ['readable', 'end', 'close']) socket.once(event, onReadable)
    socket.once('error', settle)
  })
}

const replies: Readonly<Record<number, { reason: ReachReason; words: string }>> = {
  2: { reason: 'refused-forward', words: 'its rules do not allow it' },
  3: { reason: 'unreachable', words: 'it has no route there' },
  4: { reason: 'unreachable', words: 'the host does not answer, or its name does not resolve there' },
  5: { reason: 'port-closed', words: 'nothing listens on that port' },
  6: { reason: 'no-answer', words: 'connection timed out' },
}

function connectionRefused(reply: number, proxy: SocksProxy, target: Target): ReachError {
  const { reason, words } = replies[reply] ?? { reason: 'proxy-refused' as const, words: `its answer was ${reply}` }
  return new ReachError(reason, `The SOCKS proxy could not connect to ${formatTarget(target)}: ${words}.`, {
    where: `${formatTarget(target)} through the SOCKS proxy ${formatTarget(proxy)}`,
    fix: `Check that ${target.host} is up, and that the proxy may reach port ${target.port} there.`,
  })
}

/** The address of a proxy looks like that of any service, so it is labelled. */
function proxySilent(proxy: SocksProxy, why: ReachError): ReachError {
  return new ReachError(why.reason, `The SOCKS proxy cannot be reached: ${why.message}`, {
    where: `proxmox.socks (${formatTarget(proxy)})`,
    fix: 'Start the proxy, or correct proxmox.socks.',
    cause: why,
  })
}

function loginRefused(proxy: SocksProxy): ReachError {
  return new ReachError('proxy-refused', `The SOCKS proxy ${formatTarget(proxy)} refused to let us in.`, {
    where: `proxmox.socks (${formatTarget(proxy)})`,
    fix: 'Check whether the proxy requires a user and password, and that they are right.',
  })
}

function notSocks(proxy: SocksProxy): ReachError {
  return new ReachError('proxy-refused', `The service at ${formatTarget(proxy)} is not a SOCKS5 proxy.`, {
    where: `proxmox.socks (${formatTarget(proxy)})`,
    fix: 'Give the host and port of a SOCKS5 proxy; an HTTP proxy does not do.',
  })
}

function proxyHungUp(proxy: SocksProxy): ReachError {
  return new ReachError(
    'cut',
    `The SOCKS proxy ${formatTarget(proxy)} closed the connection before it was established.`,
    {
      where: `proxmox.socks (${formatTarget(proxy)})`,
      fix: 'Check the log of the proxy, then try again.',
    },
  )
}
