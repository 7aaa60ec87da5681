import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Served, type Serving, serve } from './serve.js'

let served: Served | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})

async function open(more: Partial<Serving> = {}): Promise<void> {
  served = await serve({
    host: '127.0.0.1',
    port: 0,
    metrics: async () => 'ichor_build_info 1\n',
    isReady: () => true,
    mayRead: () => ({ who: 'all' }),
    ...more,
  })
}

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

function ask(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const [host, port] = (served?.address ?? '').split(':')
  return new Promise<Answer>((resolve, reject) => {
    const call = request({ host, port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    call.on('error', reject)
    call.end()
  })
}

test('metrics, and whether the process lives and has seen every cluster', async () => {
  let isReady = false
  await open({ isReady: () => isReady })
  expect(await ask('/metrics')).toEqual({ status: 200, text: 'ichor_build_info 1\n' })
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
  expect(await ask('/readyz')).toMatchObject({ status: 503 })
  isReady = true
  expect(await ask('/readyz')).toMatchObject({ status: 200 })
  expect(await ask('/')).toMatchObject({ status: 404 })
  expect(await ask('/metrics', { method: 'POST' })).toMatchObject({ status: 405 })
})

test('with a token, metrics need it and probes do not', async () => {
  await open({ mayRead: () => ({ who: 'bearer', token: 'a-token' }) })
  expect(await ask('/metrics')).toMatchObject({ status: 401 })
  expect(await ask('/metrics', { headers: { authorization: 'Bearer another' } })).toMatchObject({ status: 401 })
  expect(await ask('/metrics', { headers: { authorization: 'Bearer a-token' } })).toMatchObject({ status: 200 })
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
})

test('on loopback, a page under another name reads nothing', async () => {
  await open()
  expect(await ask('/metrics', { headers: { host: 'evil.example.com' } })).toMatchObject({ status: 403 })
  expect(await ask('/metrics', { headers: { host: 'localhost:9469' } })).toMatchObject({ status: 200 })
})

test('metrics that cannot be made are an error, and the server stays', async () => {
  await open({ metrics: () => Promise.reject(new Error('no')) })
  expect(await ask('/metrics')).toMatchObject({ status: 500 })
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
})
