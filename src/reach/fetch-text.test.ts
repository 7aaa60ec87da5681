import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { fetchText } from './fetch-text.js'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.yaml`
}

test('a text is read whole', async () => {
  expect(await fetchText(await serve((_, response) => response.end('kind: ConfigMap\n')))).toBe('kind: ConfigMap\n')
})

test('a missing one is an error', async () => {
  await expect(fetchText(await serve((_, response) => response.writeHead(404).end()))).rejects.toThrow('answered 404')
})

test('one without end is refused', async () => {
  const address = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed)
        if (!response.write(Buffer.alloc(1024 * 1024))) return void response.once('drain', more)
    }
    more()
  })
  await expect(fetchText(address)).rejects.toThrow('the answer is too long')
})
