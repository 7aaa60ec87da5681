import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

/**
 * Turns a tunnel's stream into a real socket. HTTP/2 over TLS over a JS stream is broken in Node (replies are lost, or
 * the process aborts), so each stream ends in a unix socket in a folder that only this user can enter.
 */
export interface Bridge {
  /** The local end; both ends close together. */
  toSocket(stream: Duplex): Promise<Socket>
  close(): Promise<void>
}

export function createBridge(): Bridge {
  let directory: Promise<string> | undefined
  let count = 0

  const nextPath = async () => {
    const number = count++
    if (process.platform === 'win32') return `\\\\.\\pipe\\ichor-${process.pid}-${crypto.randomUUID()}`
    directory ??= mkdtemp(join(tmpdir(), 'ichor-'))
    return join(await directory, String(number))
  }

  return {
    toSocket: async (stream) => joinAt(await nextPath(), stream),
    close: async () => {
      if (directory !== undefined) await rm(await directory, { recursive: true, force: true })
      directory = undefined
    },
  }
}

/** One listener per connection, so that no other process can take its place. */
function joinAt(path: string, stream: Duplex): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    const fail = (error: Error) => {
      server.close()
      stream.destroy()
      reject(error)
    }
    server.once('error', fail)
    server.once('connection', (far) => {
      server.close()
      splice(far, stream)
    })
    server.listen(path, () => {
      const near = connect(path)
      near.once('error', fail)
      near.once('connect', () => {
        near.off('error', fail)
        resolve(near)
      })
    })
  })
}

/** Forwards bytes both ways until either side ends. One may have closed while the other was still being dialled. */
export function splice(one: Duplex, other: Duplex): void {
  if (one.destroyed || other.destroyed) {
    one.destroy()
    other.destroy()
    return
  }
  one.pipe(other)
  other.pipe(one)
  endWith(one, other)
  endWith(other, one)
}

function endWith(gone: Duplex, left: Duplex): void {
  gone.on('error', () => left.destroy())
  gone.on('close', () => {
    if (!left.writableEnded) left.end()
    if (left.readableEnded) return
    left.unpipe()
    left.resume()
  })
}
