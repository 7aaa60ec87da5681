import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createDirectDialer } from './direct.js'
import { formatTarget } from './reach-error.js'

const signal = new AbortController().signal
const dialer = createDirectDialer()

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a closed port and a name that does not resolve are distinguished, each with a way out', async () => {
  const port = await closedPort()
  await expect(dialer.dial({ host: '127.0.0.1', port }, signal)).rejects.toMatchObject({
    reason: 'port-closed',
    message: `127.0.0.1 answers, but nothing listens on port ${port}.`,
    where: `127.0.0.1:${port}`,
    exitCode: 1,
  })
  await expect(dialer.dial({ host: 'nowhere.invalid', port }, signal)).rejects.toMatchObject({
    reason: 'unresolved',
    message: expect.stringContaining('nowhere.invalid'),
    fix: expect.stringContaining('nowhere.invalid'),
  })
})

test('an abort ends a dial with the reason of the abort', async () => {
  const stop = new AbortController()
  const dialling = dialer.dial({ host: '192.0.2.1', port: 50_000 }, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(dialling).rejects.toThrow('stopped')
  await expect(dialer.dial({ host: '127.0.0.1', port: 1 }, stop.signal)).rejects.toThrow('stopped')
})

test('an IPv6 address is written so that its port can be seen', () => {
  expect(formatTarget({ host: 'fd00::1', port: 50_000 })).toBe('[fd00::1]:50000')
  expect(formatTarget({ host: '10.0.10.11', port: 50_000 })).toBe('10.0.10.11:50000')
})
