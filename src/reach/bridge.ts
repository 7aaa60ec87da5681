import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

/**
 * Turns a stream of a tunnel into a real socket. HTTP/2 over TLS over a JS stream is broken in Node (replies are lost,
 * or the process aborts), so each stream ends in a unix socket in a directory that only this user can enter.
 */
export interface Bridge {
  /** The end to hand out; both close together. */
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

/** One listener for one connection: nobody else can be taken for it. */
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

/** Carries bytes both ways until either side is done. One may have hung up while the other was still dialled. */
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
