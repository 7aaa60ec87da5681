import { type ClientHttp2Session, connect, type SecureClientSessionOptions } from 'node:http2'
import type { GrpcTransportOptions } from '@connectrpc/connect-node'

/**
 * One HTTP/2 session, opened again when the node has closed it. The manager of connect-node stops listening to a session
 * that it replaces, and the error with which it ends one after a GOAWAY then ends the process.
 */
export function sessionTo(
  authority: string,
  options: SecureClientSessionOptions,
): NonNullable<GrpcTransportOptions['sessionManager']> {
  let held: ClientHttp2Session | undefined
  const usable = () => {
    if (held !== undefined && !held.closed && !held.destroyed) return held
    held = connect(authority, options)
    // Every stream receives the error itself.
    held.on('error', () => {})
    return held
  }
  return {
    authority,
    async request(method, path, headers, streamOptions) {
      return usable().request({ ...headers, ':method': method, ':path': path }, streamOptions)
    },
    notifyResponseByteRead: () => {},
  }
}
