import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readBody } from './read-body.js'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function answerOf(listener: RequestListener): Promise<IncomingMessage> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject))
}

test('a body within its limits is read whole', async () => {
  const answer = await answerOf((_, response) => response.end('whole'))
  expect((await readBody(answer, { maxBytes: 5, silenceMs: 1000, deadlineMs: 1000 })).toString()).toBe('whole')
})

test('a body that announces more than it may have is not read at all', async () => {
  const answer = await answerOf((_, response) => response.writeHead(200, { 'content-length': '700' }).write('a'))
  await expect(readBody(answer, { maxBytes: 600 })).rejects.toThrow('the answer is too long')
  expect(answer.destroyed).toBe(true)
})

test('a body that grows over its limit is ended', async () => {
  const answer = await answerOf((_, response) => {
    response.write('a'.repeat(400))
    response.end('a'.repeat(400))
  })
  await expect(readBody(answer, { maxBytes: 600 })).rejects.toThrow('the answer is too long')
})

test.each([
  { story: 'falls silent', limits: { silenceMs: 30 }, everyMs: 0 },
  { story: 'drips for ever', limits: { deadlineMs: 60 }, everyMs: 5 },
])('a body that $story is ended', async ({ limits, everyMs }) => {
  const answer = await answerOf((_, response) => {
    response.write('a')
    if (everyMs === 0) return
    const drip = setInterval(() => response.write('a'), everyMs)
    closing.push(() => clearInterval(drip))
  })
  await expect(readBody(answer, { maxBytes: 600_000, ...limits })).rejects.toThrow('stopped half-way')
})
