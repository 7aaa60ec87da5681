import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** What happens to a connection after that many bytes from the client. */
export interface Weather {
  readonly afterBytes: number
  readonly fault: 'cut' | 'stall'
  /** How many connections; the others pass. */
  readonly times: number
}

/** A line to a port of this computer that can be cut or stall. */
export async function openBadLine(port: number) {
  let weather: Weather | undefined
  let struck = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1')
    let sent = 0
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          service.destroy()
        })
    }
    service.pipe(client)
    client.on('data', (bytes) => {
      sent += bytes.length
      const isHit = weather !== undefined && sent > weather.afterBytes && struck < weather.times
      if (!isHit) return void service.write(bytes)
      struck++
      if (weather?.fault === 'cut') client.destroy()
      else client.pause()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    set: (next: Weather | undefined) => {
      weather = next
      struck = 0
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
