import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PlanView } from '../events/plan-view.js'
import { routes } from './routes.js'
import { type PageServer, servePage } from './server.js'
import type { PageState } from './state.js'
import { aPlanView } from './testing/plan-views.js'
import { aSnapshot } from './testing/snapshots.js'
import type { PageCluster } from './watched-cluster.js'

let folder: string
let stop: AbortController
let page: PageServer
let links: string[]
let carriedOut: string[]
let plan: PlanView
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-page-'))
  stop = new AbortController()
  links = []
  carriedOut = []
  plan = aPlanView()
})
afterEach(async () => {
  stop.abort()
  await page.close()
  await rm(folder, { recursive: true, force: true })
})

async function serve(changes: Partial<PageCluster> = {}, idleMs?: number): Promise<void> {
  const cluster: PageCluster = {
    name: 'dev',
    options: '-i dev',
    folder,
    look: async () => aSnapshot(),
    plan: async () => plan,
    ...changes,
  }
  page = await servePage({
    clusters: [cluster],
    assets: { script: 'script', style: 'style' },
    ichorVersion: '0',
    commands: [],
    port: 0,
    signal: stop.signal,
    onLink: (url) => links.push(url),
    everyMs: 20,
    ...(idleMs === undefined ? {} : { idleMs }),
  })
}

const mayChange = { carryOut: async (digest: string) => void carriedOut.push(digest) }

interface Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

/** Of a client that sends what it wants, as no browser does. Ends a stream at its first bytes. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: page.port, method, path, headers }, (response) => {
      let text = ''
      const end = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      response.on('data', (chunk) => {
        text += chunk
        if (response.headers['content-type'] === 'text/event-stream') sent.destroy()
      })
      response.on('end', end)
      response.on('close', end)
    })
    sent.on('error', (error) => {
      if (!sent.destroyed || error.message !== 'socket hang up') reject(error)
    })
    sent.end(method === 'POST' ? body : undefined)
  })
}

const own = () => ({ host: `127.0.0.1:${page.port}`, 'x-ichor-token': tokenOf(links.at(-1)) })

function tokenOf(link = ''): string {
  return link.split('#token=')[1] ?? ''
}

async function aJournal(): Promise<string> {
  await mkdir(join(folder, '.ichor', 'journal'), { recursive: true })
  const event = { type: 'run.noted', at: '2026-11-19T10:00:00.000Z', text: 'hello', severity: 'info', run: 'r', seq: 1 }
  await writeFile(join(folder, '.ichor', 'journal', 'a.jsonl'), `${JSON.stringify(event)}\n`)
  return 'a'
}

test('every address refuses a foreign name, a foreign site, and, where it has data, a wrong or missing token', async () => {
  await serve(mayChange)
  const run = await aJournal()
  const foreign: Record<string, string>[] = [
    { ...own(), host: `evil.example:${page.port}` },
    { ...own(), origin: 'https://evil.example' },
    { ...own(), 'sec-fetch-site': 'cross-site' },
  ]
  for (const { method, path, needsToken } of routes) {
    const withoutToken = [{ host: own().host }, { ...own(), 'x-ichor-token': 'wrong' }]
    for (const headers of [...foreign, ...(needsToken ? withoutToken : [])])
      expect({ path, sent: headers, ...(await ask(method, `${path}?run=${run}`, headers, '{}')) }).toMatchObject({
        status: 403,
      })
  }
  expect(carriedOut).toEqual([])
})

test('every answer forbids what did not come with ichor, and none is for other sites', async () => {
  await serve()
  for (const { method, path } of [...routes, { method: 'GET', path: '/elsewhere' }]) {
    const { headers } = await ask(method, `${path}?run=none`, own())
    expect({ path, csp: headers['content-security-policy'] }).toMatchObject({
      csp: expect.stringContaining("default-src 'none'"),
    })
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  }
})

test('nothing changes by GET, and a preflight is not answered', async () => {
  await serve(mayChange)
  for (const { method, path } of routes.filter((route) => route.method === 'POST'))
    expect({ method, ...(await ask('GET', path, own())) }).toMatchObject({ status: 404 })
  expect((await ask('OPTIONS', '/carry-out', { ...own(), origin: 'https://evil.example' })).status).toBe(403)
  expect(carriedOut).toEqual([])
})

test('a request that is no request harms nothing', async () => {
  await serve()
  for (const path of ['//', '/%', '/state?cluster=9', '/plan?cluster=x', '/events', '/run?run=%00'])
    expect({ path, ...(await ask('GET', path, own())) }).toMatchObject({
      status: path.startsWith('/state') ? 200 : 404,
    })
})

test('the state has what was seen; a look that fails keeps it and says so', async () => {
  let isAway = false
  const look = async () => {
    if (isAway) throw Object.assign(new Error('Proxmox is away.'), { where: 'pve1', fix: 'Bring it back.' })
    return aSnapshot()
  }
  await serve({ look })
  const state = async () => JSON.parse((await ask('GET', '/state', own())).text) as PageState
  await expect.poll(async () => (await state()).clusters[0]?.snapshot?.cluster).toBe('dev')
  isAway = true
  await expect.poll(async () => (await state()).clusters[0]?.missed).toBeGreaterThan(1)
  expect((await state()).clusters[0]).toMatchObject({
    snapshot: { cluster: 'dev' },
    failure: { problem: 'Proxmox is away.', where: 'pve1', fix: 'Bring it back.' },
  })
})

test('what the page has already is not sent again', async () => {
  await serve({ look: () => new Promise(() => {}) })
  const first = await ask('GET', '/state', own())
  const again = { ...own(), 'if-none-match': String(first.headers.etag) }
  expect(await ask('GET', '/state', again)).toMatchObject({ status: 304, text: '' })
  await aJournal()
  const now = await ask('GET', '/state', again)
  expect(now.status).toBe(200)
  expect(now.headers.etag).not.toBe(first.headers.etag)
  expect((await ask('GET', '/state', { ...again, 'x-ichor-token': 'wrong' })).status).toBe(403)
})

test('a cluster whose look is much work is looked at less often, and at once when a person asks', async () => {
  let looks = 0
  const look = async () => {
    looks++
    const before = process.cpuUsage()
    for (let spent = 0; spent < 100_000; spent = process.cpuUsage(before).user) Math.sqrt(spent)
    return aSnapshot()
  }
  await serve({ look })
  const cluster = async () => (JSON.parse((await ask('GET', '/state', own())).text) as PageState).clusters[0]
  await expect.poll(async () => (await cluster())?.looks).toBe(1)
  expect((await cluster())?.every_ms).toBeGreaterThanOrEqual(2000)
  expect((await ask('POST', '/look', own())).status).toBe(200)
  expect((await cluster())?.looks).toBe(2)
  expect(looks).toBe(2)
})

test('the events of a run are streamed, with their numbers', async () => {
  await serve()
  const run = await aJournal()
  const { status, headers } = await ask('GET', `/events?run=${run}&since=0`, own())
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
  expect(JSON.parse((await ask('GET', `/run?run=${run}`, own())).text)).toMatchObject([{ text: 'hello', seq: 1 }])
  expect((await ask('GET', '/events?run=../../cluster', own())).status).toBe(404)
})

test('a plan that is asked for again is the one of now', async () => {
  await serve()
  const digest = async () => JSON.parse((await ask('GET', '/plan', own())).text).plan.digest as string
  const first = await digest()
  plan = { ...plan, digest: 'next' }
  expect([first, await digest()]).toEqual([aPlanView().digest, 'next'])
})

const approve = (approval: object) =>
  ask('POST', '/carry-out', { ...own(), 'content-type': 'application/json' }, JSON.stringify(approval))

test('without --allow-changes nothing can be applied', async () => {
  await serve()
  expect((await approve({ digest: plan.digest, name: 'dev' })).status).toBe(403)
})

test('only the plan on the screen is applied, and its name is typed if it interrupts or loses something', async () => {
  await serve(mayChange)
  const [step] = plan.steps
  if (step === undefined) throw new Error('the plan has no step')
  expect((await approve({ digest: 'edited', name: 'dev' })).status).toBe(409)
  expect((await approve({ digest: plan.digest, name: '' })).status).toBe(200)
  plan = { ...plan, digest: 'grave', steps: [{ ...step, loses: ['scsi1 (200 GiB)'] }] }
  expect((await approve({ digest: 'grave', name: '' })).status).toBe(409)
  expect((await approve({ digest: 'grave', name: 'prod' })).status).toBe(409)
  expect((await approve({ digest: 'grave', name: 'dev' })).status).toBe(200)
  expect(carriedOut).toEqual([aPlanView().digest, 'grave'])
  // Afterwards there is another plan: the same approval is worth nothing.
  plan = { ...plan, digest: 'next' }
  expect((await approve({ digest: 'grave', name: 'dev' })).status).toBe(409)
  expect((await ask('POST', '/carry-out', own(), JSON.stringify({ digest: 'next', name: 'dev' }))).status).toBe(400)
  expect(carriedOut).toHaveLength(2)
})

test('a link that nobody uses expires on every address, and the terminal shows a new one', async () => {
  await serve(mayChange, 40)
  const run = await aJournal()
  const first = own()
  await expect.poll(() => links.length).toBeGreaterThan(1)
  const guarded = routes.filter(({ needsToken }) => needsToken)
  expect(guarded.length).toBeGreaterThan(5)
  for (const { method, path } of guarded)
    expect({ path, ...(await ask(method, `${path}?run=${run}`, first, '{}')) }).toMatchObject({ path, status: 403 })
  expect(carriedOut).toEqual([])
})

test('a stream ends when the link expires with which it was opened', async () => {
  await serve({}, 40)
  const path = `/events?run=${await aJournal()}&since=0`
  const ended = new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: page.port, path, headers: own() }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.end()
  })
  expect(await ended).toBe(200)
  expect(links.length).toBeGreaterThan(1)
})

test('an approval that cannot be carried out is refused with its reason', async () => {
  const carryOut = () => Promise.reject(new Error('A run of this page is under way.'))
  await serve({ carryOut })
  expect(await approve({ digest: plan.digest, name: 'dev' })).toMatchObject({
    status: 409,
    text: expect.stringContaining('A run of this page is under way.'),
  })
})
