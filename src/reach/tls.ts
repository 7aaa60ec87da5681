import { createHash } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, connect, type TLSSocket } from 'node:tls'
import type { Dialer, Target } from './dialer.js'
import { formatTarget, ReachError, reachErrorFrom } from './reach-error.js'

/** How the identity of the peer is verified. */
export type Trust =
  /** PEM of the trusted CAs; those of this computer by default. */
  | { readonly ca?: string }
  /** SHA-256 of its certificate in hex (`AA:BB:…`), or of its public key in base64 (as Talos prints it). */
  | { readonly pin: string }
  /** No verification. Only for connections without secrets in either direction. */
  | { readonly insecure: true }

export interface SecureOptions {
  readonly trust: Trust
  /** PEM texts; the key with any label that Talos uses. */
  readonly clientCert?: { readonly crt: string; readonly key: string }
  readonly alpn?: readonly string[]
  /** The name or address in the certificate; that of the target by default. */
  readonly servername?: string
}

const handshakeTimeoutMs = 15_000

/** A verified TLS connection. A pin is checked before the first byte is sent. */
export async function secureConnect(
  dialer: Dialer,
  target: Target,
  options: SecureOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = await dialer.dial(target, signal)
  const secured = await shakeHands(socket, target, options, signal)
  if ('pin' in options.trust) checkPin(secured, options.trust.pin, target)
  return secured
}

function shakeHands(socket: Socket, target: Target, options: SecureOptions, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connect(tlsOptions(socket, target, options))
    const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), handshakeTimeoutMs)
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off('error', fail)
      secured.off('error', fail)
      secured.off('close', onClose)
    }
    const fail = (thrown: unknown) => {
      settle()
      // A second failure of the same connection has no listener.
      secured.on('error', () => {})
      socket.on('error', () => {})
      secured.destroy()
      reject(signal.aborted ? signal.reason : tlsFailure(thrown, target))
    }
    const onAbort = () => fail(signal.reason)
    const onClose = () => fail({ code: 'ECONNRESET' })
    socket.once('error', fail)
    secured.once('error', fail)
    secured.once('close', onClose)
    signal.addEventListener('abort', onAbort, { once: true })
    secured.once('secureConnect', () => {
      settle()
      resolve(secured)
    })
    if (signal.aborted) onAbort()
  })
}

function tlsOptions(socket: Socket, target: Target, options: SecureOptions): ConnectionOptions {
  const expected = options.servername ?? target.host
  const { trust } = options
  return {
    socket,
    host: expected,
    minVersion: 'TLSv1.2',
    ALPNProtocols: [...(options.alpn ?? [])],
    checkServerIdentity: (_, certificate) => checkServerIdentity(expected, certificate),
    rejectUnauthorized: !('pin' in trust || 'insecure' in trust),
    ...(isIP(expected) === 0 ? { servername: expected } : {}),
    ...('ca' in trust && trust.ca !== undefined ? { ca: trust.ca } : {}),
    ...(options.clientCert === undefined
      ? {}
      : { cert: options.clientCert.crt, key: readableKey(options.clientCert.key) }),
  }
}

/** OpenSSL does not know Talos's label for Ed25519 keys; the content is ordinary PKCS#8. @internal */
export function readableKey(pem: string): string {
  return pem.replaceAll('ED25519 PRIVATE KEY', 'PRIVATE KEY')
}

/** A missing certificate is a mismatch. */
function checkPin(secured: TLSSocket, pin: string, target: Target): void {
  const certificate = secured.getPeerX509Certificate()
  const seen =
    certificate === undefined
      ? []
      : [
          normalPin(certificate.fingerprint256),
          createHash('sha256')
            .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
            .digest('base64'),
        ]
  if (seen.includes(normalPin(pin))) return
  secured.destroy()
  throw new ReachError('wrong-pin', `${formatTarget(target)} shows another certificate than the one that was pinned.`, {
    where: `${formatTarget(target)} (it shows ${certificate?.fingerprint256 ?? 'none'})`,
    fix: 'Check the fingerprint on its own console; if it is right, replace the old one with it.',
  })
}

function normalPin(pin: string): string {
  const hex = pin.replaceAll(':', '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(hex) ? hex : pin
}

const distrust: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; one of the two clocks is wrong',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an untrusted CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an untrusted CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an untrusted CA',
  CERT_SIGNATURE_FAILURE: 'its certificate is signed by an untrusted CA',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name or address',
}

function tlsFailure(thrown: unknown, target: Target): ReachError {
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code ?? ''
  const where = formatTarget(target)
  const words = distrust[code]
  if (words !== undefined) {
    return new ReachError('untrusted', `${where} cannot be trusted: ${words}.`, {
      where,
      fix: 'Check that this is the right machine, and that the CA or fingerprint that we were given is its own.',
      cause: thrown,
    })
  }
  if (!code.startsWith('ERR_SSL')) return reachErrorFrom(thrown, target)
  return new ReachError('refused-handshake', `${where} refused the TLS handshake (${code}).`, {
    where,
    fix: 'Check that the port serves TLS, and that our client certificate is of the right CA and not expired.',
    cause: thrown,
  })
}
