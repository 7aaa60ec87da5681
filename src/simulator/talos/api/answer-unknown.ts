import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { Code, ConnectError } from '@connectrpc/connect'
import { admit } from './gate.js'
import type { Connection } from './node-api.js'
import { unknownMethod } from './unknown-method.js'

/**
 * An unknown method passes the gate like any other, and is answered like grpc-go does: with status 12, not with HTTP
 * 404.
 */
export async function answerUnknown(
  request: Http2ServerRequest,
  response: Pick<Http2ServerResponse, 'stream'>,
  connection: Connection,
): Promise<void> {
  const path = request.url
  const aborted = new AbortController()
  request.on('aborted', () => aborted.abort())
  const error = await admit(path, connection, aborted.signal).then(
    () => unknownMethod(path),
    (refusal: unknown) => ConnectError.from(refusal),
  )
  connection.machine.record('call', { path, code: Code[error.code] ?? 'Unknown' })
  if (response.stream.destroyed) return
  const headers = {
    ':status': 200,
    'content-type': 'application/grpc',
    'grpc-status': String(error.code),
    'grpc-message': encodeURIComponent(error.rawMessage).replaceAll('%20', ' '),
  }
  // The status is in the headers only if they end the stream: grpc-go ignores it otherwise.
  response.stream.respond(headers, { endStream: true })
}
