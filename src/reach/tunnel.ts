import { createServer, type Server, type Socket } from 'node:net'
import { splice } from './bridge.js'
import type { Dialer, Target } from './dialer.js'
import { ReachError } from './reach-error.js'

export interface TunnelRequest {
  /** Its purpose: "Talos API of dev-cp-1". */
  readonly name: string
  readonly target: Target
  /** The local port to listen on; a free one by default. */
  readonly port?: number
}

export interface Tunnel extends TunnelRequest {
  readonly host: '127.0.0.1'
  readonly port: number
}

export interface OpenTunnels {
  readonly tunnels: readonly Tunnel[]
  close(): Promise<void>
}

/**
 * Opens local ports for other tools and forwards each to its target. A connection is dialled when it is made; if that
 * fails, it is closed and reported.
 */
export async function openTunnels(
  dialer: Dialer,
  requests: readonly TunnelRequest[],
  onFailure: (name: string, thrown: unknown) => void,
): Promise<OpenTunnels> {
  const closing = new AbortController()
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  const close = async () => {
    closing.abort(new Error('The tunnel was closed.'))
    for (const socket of sockets) socket.destroy()
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }

  const accept = (request: TunnelRequest) => (client: Socket) => {
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    client.on('error', () => client.destroy())
    dialer.dial(request.target, closing.signal).then(
      (far) => splice(client, far),
      (thrown: unknown) => {
        client.destroy()
        if (!closing.signal.aborted) onFailure(request.name, thrown)
      },
    )
  }

  try {
    const tunnels: Tunnel[] = []
    for (const request of requests) {
      const server = createServer({ noDelay: true, allowHalfOpen: true }, accept(request))
      servers.push(server)
      tunnels.push({ ...request, host: '127.0.0.1', port: await listen(server, request) })
    }
    return { tunnels, close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

function listen(server: Server, request: TunnelRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(portTaken(request, cause)))
    server.listen(request.port ?? 0, '127.0.0.1', () => {
      const address = server.address()
      resolve(address === null || typeof address === 'string' ? 0 : address.port)
    })
  })
}

function portTaken({ name, port }: TunnelRequest, cause: NodeJS.ErrnoException): ReachError {
  return new ReachError('port-closed', `The local port ${port} for ${name} cannot be opened (${cause.code}).`, {
    where: `127.0.0.1:${port}`,
    fix: 'Choose another local port, or end the program that uses it.',
    cause,
  })
}
