import { connect, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createDirectDialer } from './direct.js'
import { openTunnels } from './tunnel.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return (server.address() as { port: number }).port
}

function ask(port: number, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.on('end', () => socket.end())
    socket.end(words)
  })
}

test('what goes into a local port comes out at its target, and the answer comes back after a half close', async () => {
  const big = 'x'.repeat(1_000_000)
  const port = await listening(
    createServer({ allowHalfOpen: true }, (socket) => {
      socket.resume()
      socket.on('end', () => socket.end(big))
    }),
  )
  const requests = [{ name: 'Talos API of dev-cp-1', target: { host: '127.0.0.1', port } }]
  const { tunnels, close } = await openTunnels(createDirectDialer(), requests, () => {})
  closing.push(close)
  expect(tunnels[0]?.name).toBe('Talos API of dev-cp-1')
  expect(await ask(tunnels[0]?.port ?? 0, 'hello')).toBe(big)
})

test('a target that cannot be reached is reported, and the port stays open', async () => {
  const server = createServer((socket) => socket.end('back'))
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  const reported: string[] = []
  const requests = [{ name: 'Kubernetes', target: { host: '127.0.0.1', port } }]
  const open = await openTunnels(createDirectDialer(), requests, (name, thrown) => reported.push(`${name}: ${thrown}`))
  closing.push(open.close)
  const local = open.tunnels[0]?.port ?? 0
  await ask(local, 'hello').catch(() => {})
  expect(reported).toEqual([expect.stringContaining(`Kubernetes: ReachError: 127.0.0.1 answers, but nothing listens`)])
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect(await ask(local, 'hello')).toBe('back')
})

test('a local port that is taken is an error that names it', async () => {
  const port = await listening(createServer())
  const requests = [{ name: 'Proxmox', target: { host: '127.0.0.1', port: 8006 }, port }]
  await expect(openTunnels(createDirectDialer(), requests, () => {})).rejects.toThrow(
    `The local port ${port} for Proxmox cannot be opened (EADDRINUSE).`,
  )
})
