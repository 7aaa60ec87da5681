import { expect, test } from 'vitest'
import { newToken, refusalOf } from './guard.js'

const token = newToken()
const own = { host: '127.0.0.1:4000', 'x-ichor-token': token }
const ask = (headers: Record<string, string>, needsToken = true) =>
  refusalOf({ headers }, { port: 4000, token, needsToken })

test('a request of the page itself is answered', () => {
  expect(ask({ ...own, origin: 'http://127.0.0.1:4000', 'sec-fetch-site': 'same-origin' })).toBeUndefined()
  expect(ask({ host: '127.0.0.1:4000', 'sec-fetch-site': 'none' }, false)).toBeUndefined()
})

test.each<[string, Record<string, string>]>([
  ['a name that was made to lead here', { ...own, host: 'evil.example:4000' }],
  ['another name of this computer', { ...own, host: 'localhost:4000' }],
  ['another port', { ...own, host: '127.0.0.1:4001' }],
  ['no name', { 'x-ichor-token': token }],
  ['another site', { ...own, origin: 'https://evil.example' }],
  ['a sandboxed frame', { ...own, origin: 'null' }],
  ['another service of this address', { ...own, origin: 'http://127.0.0.1:4001' }],
  ['a cross-site fetch', { ...own, 'sec-fetch-site': 'cross-site' }],
  ['a same-site fetch, which another port is', { ...own, 'sec-fetch-site': 'same-site' }],
  ['no token', { host: own.host }],
  ['an empty token', { ...own, 'x-ichor-token': '' }],
  ['a wrong token', { ...own, 'x-ichor-token': newToken() }],
  ['a part of the token', { ...own, 'x-ichor-token': token.slice(0, -1) }],
  [
    'a visit by link to something that has the data',
    { ...own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ],
])('%s is refused', (_, headers) => {
  expect(ask(headers)).toEqual(expect.any(String))
})

test('a link elsewhere may open the empty page, and no frame or script may', () => {
  const visit = {
    host: own.host,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  expect(ask(visit, false)).toBeUndefined()
  expect(ask({ ...visit, 'sec-fetch-dest': 'iframe' }, false)).toBeDefined()
  expect(ask({ ...visit, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, false)).toBeDefined()
})

test('a token has 256 bits', () => {
  expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32)
})
