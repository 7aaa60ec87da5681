import type { TLSSocket } from 'node:tls'
import { StatusError } from '../status-error.js'
import type { Tokens } from './tokens.js'

export interface User {
  readonly name: string
  readonly groups: readonly string[]
}

/** Talos allows only the probes without a certificate. */
const openPaths = ['/livez', '/readyz', '/healthz']

/** The caller, by the client certificate of this connection or by a token. Throws 401 for unknown ones. */
export function authenticate(
  socket: TLSSocket,
  path: string,
  authorization: string | undefined,
  tokens: Tokens | undefined,
): User {
  const certificate = socket.getPeerX509Certificate()
  if (certificate !== undefined && socket.authorized) return userOf(certificate.subject)
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
  if (token !== undefined && tokens !== undefined) return tokens.userOf(token)
  if (
    certificate === undefined &&
    authorization === undefined &&
    openPaths.some((open) => path === open || path.startsWith(`${open}/`))
  )
    return { name: 'system:anonymous', groups: ['system:unauthenticated'] }
  throw new StatusError(401, 'Unauthorized', 'Unauthorized')
}

/** Node prints a subject as one `KEY=value` per line, several organisations joined by ` + `. */
function userOf(subject: string): User {
  const parts = subject.split(/\n|\+/).map((part) => part.trim())
  const values = (key: string) =>
    parts.filter((part) => part.startsWith(`${key}=`)).map((part) => part.slice(key.length + 1))
  return { name: values('CN')[0] ?? '', groups: [...values('O'), 'system:authenticated'] }
}
