import { connect, type Socket } from 'node:net'
import type { Dialer, Target } from './dialer.js'
import { type ReachError, reachErrorFrom } from './reach-error.js'

const connectTimeoutMs = 10_000
/** Detects a lost peer soon, even if the protocol has no pings. */
const keepAliveInitialDelay = 15_000

/** Plain TCP from this computer. */
export function createDirectDialer(): Dialer {
  return { dial: dialTcp, close: async () => {} }
}

function dialTcp(target: Target, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const { host, port } = target
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay })
    const timer = setTimeout(() => socket.destroy(noAnswer(target)), connectTimeoutMs)
    const onAbort = () => socket.destroy(new AbortedDial())
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off('error', onError)
    }
    const onError = (error: Error) => {
      settle()
      reject(error instanceof AbortedDial ? signal.reason : reachErrorFrom(error, target))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('error', onError)
    socket.once('connect', () => {
      settle()
      resolve(socket)
    })
  })
}

class AbortedDial extends Error {}

function noAnswer(target: Target): ReachError {
  return reachErrorFrom({ code: 'ETIMEDOUT' }, target)
}
