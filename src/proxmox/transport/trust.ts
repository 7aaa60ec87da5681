import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { Dialer, Target } from '../../reach/dialer.js'
import { nameOf, parseEndpoint } from './endpoint.js'

/** Why we believe that the other end is the Proxmox host we mean. */
export type Trust =
  | { readonly kind: 'system' }
  | { readonly kind: 'ca'; readonly pem: string }
  | { readonly kind: 'fingerprint'; readonly sha256: string }
  | { readonly kind: 'insecure' }

/** The certificate is not one that we may believe; nothing was sent. */
export class Untrusted extends Error {
  override readonly name = 'Untrusted'
  readonly code = 'UNTRUSTED'
}

/** TLS on a dialed socket. Resolves only when the certificate has been judged: nothing is written before. */
export async function secure(socket: Socket, target: Target, trust: Trust, signal: AbortSignal): Promise<TLSSocket> {
  const secured = await handshake(socket, target, tlsOptions(trust), signal)
  if (trust.kind !== 'fingerprint') return secured
  const seen = fingerprintOf(secured)
  if (seen !== undefined && seen === normalised(trust.sha256)) return secured
  secured.destroy()
  throw new Untrusted(
    `the certificate of ${nameOf(target)} has the fingerprint ${seen ?? '(none)'}, and ${trust.sha256} was expected`,
  )
}

/** Trust on first use: what the host shows now, for the user to compare and then to remember. */
export async function fetchFingerprint(endpoint: string, dialer: Dialer, signal: AbortSignal): Promise<string> {
  const target = parseEndpoint(endpoint)
  const secured = await handshake(await dialer.dial(target, signal), target, { rejectUnauthorized: false }, signal)
  const fingerprint = fingerprintOf(secured)
  secured.destroy()
  if (fingerprint === undefined) throw new Untrusted(`${nameOf(target)} showed no certificate`)
  return fingerprint
}

function tlsOptions(trust: Trust): ConnectionOptions {
  switch (trust.kind) {
    case 'system':
      return { rejectUnauthorized: true }
    case 'ca':
      return { rejectUnauthorized: true, ca: trust.pem }
    case 'fingerprint':
    case 'insecure':
      return { rejectUnauthorized: false }
  }
}

/** Without a session to resume: a resumed one shows no certificate, and a pin could not be checked. */
function handshake(
  socket: Socket,
  target: Target,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const name = isIP(target.host) === 0 ? { servername: target.host } : {}
    const secured = connect({ socket, host: target.host, ...name, ...options, ALPNProtocols: ['http/1.1'] })
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', onAbort)
      secured.removeListener('error', onError)
      secured.removeListener('close', onClose)
      finish()
    }
    const fail = (reason: unknown) => {
      settle(() => reject(reason))
      secured.on('error', () => undefined)
      secured.destroy()
    }
    const onAbort = () => fail(signal.reason)
    const onError = (error: Error) => fail(error)
    const onClose = () => fail(new Error(`${nameOf(target)} closed the connection during the TLS handshake`))
    secured.once('error', onError).once('close', onClose)
    secured.once('secureConnect', () => settle(() => resolve(secured)))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

function fingerprintOf(secured: TLSSocket): string | undefined {
  return secured.getPeerX509Certificate()?.fingerprint256
}

/** Upper-case pairs with colons, whatever way the user copied it. */
function normalised(fingerprint: string): string {
  const pairs = fingerprint.replace(/^sha-?256[:=]/i, '').replaceAll(/[^0-9a-f]/gi, '')
  return (pairs.toUpperCase().match(/../g) ?? []).join(':')
}
