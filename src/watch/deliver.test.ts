import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Delivery, deliver, takenBy, type Webhook } from './deliver.js'
import type { WatchEvent } from './watch-event.js'

const header = { at: '2026-11-19T12:00:00.000Z', cluster: 'dev' }
const closed: WatchEvent = {
  ...header,
  severity: 'info',
  type: 'finding.closed',
  code: 'ICH0303',
  subject: 'x',
  title: 'a <b> & c',
}
const unseen: WatchEvent = {
  ...header,
  severity: 'blocks',
  type: 'cluster.unseen',
  problem: 'pve1 is gone.',
  fix: 'Look.',
}

let server: Server
let received: { headers: IncomingHttpHeaders; body: string }[] = []
let answers: (number | { location: string })[] = []
let slept: number[] = []
beforeEach(async () => {
  received = []
  answers = []
  slept = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      const answer = answers.shift() ?? 200
      if (typeof answer === 'number') response.writeHead(answer).end()
      else response.writeHead(302, answer).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => server.close())

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
const hook = (more: Partial<Webhook> = {}): Webhook => ({
  name: 'json 1',
  url: address(),
  kind: 'json',
  on: [],
  ...more,
})
const delivery = (): Delivery => ({
  allowHttp: [],
  now: () => 1_795_000_000_000,
  sleep: async (ms) => void slept.push(ms),
  signal: new AbortController().signal,
})

test('all events of a pass are one request, signed over time and body', async () => {
  expect(await deliver(hook({ key: 'shared' }), [closed, unseen], delivery())).toEqual({ isTaken: true })
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(received).toHaveLength(1)
  expect(JSON.parse(body)).toEqual({ version: 1, events: [closed, unseen] })
  const expected = createHmac('sha256', 'shared').update(`1795000000.${body}`).digest('hex')
  expect(headers).toMatchObject({ 'x-ichor-timestamp': '1795000000', 'x-ichor-signature': `sha256=${expected}` })
})

test('Slack gets a text in which nothing of others is a link or a mention', async () => {
  await deliver(hook({ kind: 'slack' }), [unseen, closed], delivery())
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    text: '*ichor dev*\n!! It cannot be looked at: pve1 is gone.  Fix: Look.\n- ICH0303 is over: a &lt;b&gt; &amp; c',
  })
})

test('ntfy gets lines, and the priority of the worst', async () => {
  await deliver(hook({ kind: 'ntfy' }), [closed, unseen], delivery())
  expect(received[0]).toMatchObject({ headers: { title: 'ichor dev', priority: '4' } })
  expect(received[0]?.body.split('\n')).toHaveLength(2)
})

test('what is busy is asked again, what refuses is not, and the address stands in no message', async () => {
  answers = [503, 429, 200]
  expect(await deliver(hook(), [closed], delivery())).toEqual({ isTaken: true })
  expect(slept).toHaveLength(2)
  answers = [403]
  const refused = await deliver(hook(), [closed], delivery())
  expect(refused).toMatchObject({ isTaken: false, why: 'it answers 403' })
  expect(JSON.stringify(refused)).not.toContain('hook')
})

test('a redirect is not followed: another host must not receive it', async () => {
  answers = [{ location: address() }, { location: address() }, { location: address() }]
  expect(await deliver(hook(), [closed], delivery())).toMatchObject({ isTaken: false })
  expect(received).toHaveLength(3)
})

test.each([
  ['a word that is no address', 'a-token'],
  ['unencrypted http', 'http://hooks.example.com/x'],
])('%s is refused before anything is sent', async (_, url) => {
  const { isTaken } = await deliver(hook({ url }), [closed], delivery())
  expect(isTaken).toBe(false)
  expect(slept).toEqual([])
})

test.each([
  [[], 2],
  [['blocks'], 1],
  [['ICH0303'], 1],
  [['ICH0501', 'warns'], 0],
])('a webhook on %j takes %i of the two', (on, count) => {
  expect(takenBy({ on }, [closed, unseen])).toHaveLength(count)
})
