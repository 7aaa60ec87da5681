import { createServer, type Socket } from 'node:net'
import { carry, type Entrance, enterLab, type LabDoor, listenOnLoopback } from './lab-door.js'

/**
 * A SOCKS5 proxy (RFC 1928, no login, CONNECT only) into the lab. The same port takes CONNECT of HTTP/1.1: some clients of
 * Talos send that to any proxy, whatever its scheme (gRPC for Go dials proxies in no other way).
 */
export function openSocks(door: LabDoor): Promise<Entrance> {
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    serve(client, door).catch(() => client.destroy())
  })
  return listenOnLoopback(server)
}

const reply = { granted: 0, refused: 5, unknownCommand: 7, unknownAddressType: 8 } as const

async function serve(client: Socket, door: LabDoor): Promise<void> {
  const { bytes, release } = reader(client)
  const [version = 0, methods = 0] = await bytes(2)
  if (isLetter(version)) return serveConnect(client, door, { bytes, release }, Buffer.of(version, methods))
  const offered = await bytes(methods)
  if (version !== 5 || !offered.includes(0)) {
    client.end(Buffer.from([5, 0xff]))
    return
  }
  client.write(Buffer.from([5, 0]))
  const [, command, , kind = 0] = await bytes(4)
  const host = await readHost(bytes, kind)
  if (host === undefined) return refuse(client, reply.unknownAddressType)
  const port = (await bytes(2)).readUInt16BE(0)
  if (command !== 1) return refuse(client, reply.unknownCommand)
  const inside = await enterLab(door, host, port)
  if (inside === undefined) return refuse(client, reply.refused)
  release()
  client.write(answer(reply.granted))
  carry(client, inside.socket, inside.gate)
}

function isLetter(byte: number): boolean {
  return /[A-Za-z]/.test(String.fromCharCode(byte))
}

const maxHeaderBytes = 16_384

/** CONNECT of RFC 9110, 9.3.6; with 405 for any other method, and 502 where nothing listens. */
async function serveConnect(client: Socket, door: LabDoor, { bytes, release }: Reader, start: Buffer): Promise<void> {
  const head = await readHead(bytes, start)
  const [method = '', target = ''] = (head?.split('\r\n')[0] ?? '').split(' ')
  if (head === undefined) return end(client, '431 Request Header Fields Too Large')
  if (method !== 'CONNECT') return end(client, '405 Method Not Allowed', 'Allow: CONNECT\r\n')
  const [, name = '', port = ''] = /^(.+):(\d{1,5})$/.exec(target) ?? []
  if (name === '') return end(client, '400 Bad Request')
  const inside = await enterLab(door, name.replace(/^\[(.*)\]$/, '$1'), Number(port))
  if (inside === undefined) return end(client, '502 Bad Gateway')
  release()
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  carry(client, inside.socket, inside.gate)
}

/** Up to the empty line; `undefined` when it is too long. */
async function readHead(bytes: Read, start: Buffer): Promise<string | undefined> {
  const head = [...start]
  while (!Buffer.from(head.slice(-4)).equals(Buffer.from('\r\n\r\n'))) {
    if (head.length >= maxHeaderBytes) return undefined
    head.push(...(await bytes(1)))
  }
  return Buffer.from(head).toString('latin1')
}

function end(client: Socket, status: string, fields = ''): void {
  client.end(`HTTP/1.1 ${status}\r\n${fields}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}

function refuse(client: Socket, code: number): void {
  client.end(answer(code))
}

function answer(code: number): Buffer {
  return Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
}

type Read = (length: number) => Promise<Buffer>

interface Reader {
  readonly bytes: Read
  release(): void
}

async function readHost(bytes: Read, kind: number): Promise<string | undefined> {
  if (kind === 1) return [...(await bytes(4))].join('.')
  if (kind === 3) return (await bytes((await bytes(1)).readUInt8(0))).toString()
  if (kind === 4) return formatIpv6(await bytes(16))
  return undefined
}

function formatIpv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** Reads exact numbers of bytes; extra bytes are put back when the request is parsed. */
function reader(client: Socket): Reader {
  let held = Buffer.alloc(0)
  let wake = () => {}
  let isGone = false
  const onData = (bytes: Buffer) => {
    held = Buffer.concat([held, bytes])
    wake()
  }
  client.on('data', onData)
  client.once('close', () => {
    isGone = true
    wake()
  })
  return {
    bytes: async (length) => {
      while (held.length < length) {
        if (isGone) throw new Error('The client hung up.')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const taken = held.subarray(0, length)
      held = held.subarray(length)
      return taken
    },
    release: () => {
      client.off('data', onData)
      client.pause()
      if (held.length > 0) client.unshift(held)
    },
  }
}
