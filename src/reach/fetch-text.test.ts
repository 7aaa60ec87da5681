import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { fetchAnswer, fetchText } from './fetch-text.js'

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

const goesTo =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end()

test('every hop of a redirect is looked at: a detour over plain http is refused before it is taken', async () => {
  let asked = 0
  const end = await serve((_, response) => response.end('text'))
  const detour = await serve((request, response) => {
    asked++
    goesTo(end)(request, response)
  })
  // This computer too, by an address that does not say so.
  const plain = detour.replace('127.0.0.1', '0.0.0.0')
  await expect(fetchText(await serve(goesTo(plain)))).rejects.toThrow(`it redirects from TLS to ${plain}`)
  expect(asked).toBe(0)
  expect(await fetchText(await serve(goesTo(detour)))).toBe('text')
})

test('redirects without end are an error', async () => {
  await expect(fetchText(await serve(goesTo('/x.yaml')))).rejects.toThrow('it redirects more than 5 times')
})

test('a login is not passed on to another host', async () => {
  const seen: (string | undefined)[] = []
  const other = await serve(({ headers }, response) => {
    seen.push(headers.authorization)
    response.end()
  })
  const first = await serve((request, response) => {
    seen.push(request.headers.authorization)
    goesTo(request.url === '/x.yaml' ? '/again' : other)(request, response)
  })
  await fetchAnswer(first, { authorization: 'Bearer token' })
  expect(seen).toEqual(['Bearer token', 'Bearer token', undefined])
})
