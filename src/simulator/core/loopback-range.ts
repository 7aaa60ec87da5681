import { createServer, type Server } from 'node:net'

/** The addresses 127.<prefix>.y.z, held by one lab. */
export interface LoopbackRange {
  readonly prefix: number
  release(): Promise<void>
}

const first = 10
const count = 110
const doorPort = 8007

/** Labs do not share a range, even across processes: a listener on the last address marks it as taken. */
export async function claimLoopback(preferred = first + (process.pid % count)): Promise<LoopbackRange> {
  for (let i = 0; i < count; i++) {
    const prefix = first + ((((preferred - first + i) % count) + count) % count)
    const door = await listen(`127.${prefix}.255.254`)
    if (door !== undefined) return { prefix, release: () => new Promise((resolve) => door.close(() => resolve())) }
  }
  throw new Error(`All ${count} loopback ranges that labs use, from 127.${first} on, are taken by other labs.`)
}

function listen(host: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(doorPort, host, () => resolve(server.unref()))
  })
}
