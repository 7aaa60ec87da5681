import type { TLSSocket } from 'node:tls'

/** The caller, by certificate. */
export interface Peer {
  readonly roles: ReadonlySet<string>
}

const clientAuth = '1.3.6.1.5.5.7.3.2'

/**
 * OpenSSL has verified the chain by the computer's clock. Talos is stricter: it uses the node's clock, and requires
 * client authentication as the only key usage. `undefined` if it would end the handshake.
 */
export function peerOf(socket: TLSSocket, nodeTime: number, isSecured: boolean): Peer | undefined {
  if (!isSecured) return { roles: new Set(['os:reader']) }
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return undefined
  if (nodeTime < Date.parse(certificate.validFrom) || nodeTime > Date.parse(certificate.validTo)) return undefined
  if (certificate.keyUsage?.length !== 1 || certificate.keyUsage[0] !== clientAuth) return undefined
  return { roles: new Set(organizations(certificate.subject)) }
}

/** Values of O in a subject as Node prints it: attributes on lines, those of one set joined by ` + `. */
function organizations(subject: string | undefined): string[] {
  const attributes = (subject ?? '').split(/\n| \+ /)
  return attributes.filter((part) => part.startsWith('O=')).map((part) => part.slice(2))
}
