import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallInventory } from '../cli/ichor.js'
import { aScene, openPage, type Scene, seriousIn, show } from './browse.js'

const shots = resolve('dist-browser')
const second = smallInventory.replace('cluster_name: dev', 'cluster_name: test').replaceAll('10.0.10.', '10.0.20.')

/** As a watch writes it down. */
const watched = {
  version: 1,
  cluster: 'dev',
  seenAt: Date.now(),
  machines: [],
  findings: [],
  plan: { digest: 'abc', since: Date.now() - 3 * 3600_000, steps: [{ id: 'a', title: 'a', digest: null }] },
  queues: {},
}

let scene: Scene
beforeAll(async () => {
  mkdirSync(shots, { recursive: true })
  const files = {
    'fleet/dev/cluster.yaml': smallInventory,
    'fleet/test/cluster.yaml': second,
    'fleet/dev/.ichor/watch.lab.json': JSON.stringify(watched),
  }
  scene = await aScene(files, { page: ['-i', 'fleet'], built: ['fleet/dev'], lab: ['-i', 'fleet'], speed: 100 })
})
afterAll(() => scene.end())

const screens = ['estate', 'cluster', 'plan', 'runs', 'fleet'] as const

test('the fleet has every inventory with its verdict, the worst first, and leads to each', async () => {
  const page = await openPage(scene.browser, scene.served.link())
  await show(page, '#/fleet/0')
  const rows = page.locator('main tbody tr')
  await rows.filter({ hasText: 'HEALTHY' }).waitFor()
  await rows.filter({ hasText: 'NOT CREATED' }).waitFor()
  expect((await rows.allTextContents()).map((text) => /^(dev|test)/.exec(text)?.[0])).toEqual(['test', 'dev'])
  for (const [width, theme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme: theme })
    await page.getByRole('button', { name: theme === 'dark' ? 'Light' : 'Dark', exact: true }).waitFor()
    await page.screenshot({ path: join(shots, `fleet-${width}-${theme}.png`), fullPage: true })
    expect(await seriousIn(page)).toEqual([])
  }
  await rows.filter({ hasText: 'HEALTHY' }).getByRole('link', { name: 'since 3 h ago' }).waitFor()
  await page.getByRole('link', { name: 'dev', exact: true }).click()
  await page.getByText('2 of 2 machines ready').waitFor()
  await page.close()
})

test('the exported file shows every screen without a server, and asks for nothing', async () => {
  const { desk, browser } = scene
  expect((await desk.ichor(['ui', '--lab', '-i', 'fleet', '--export', 'page.html'])).code).toBe(0)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => (message.type() === 'error' ? problems.push(message.text()) : undefined))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const address = pathToFileURL(join(desk.folder, 'page.html')).href
  await page.goto(address)
  await page.getByText('2 of 2 machines ready').waitFor()
  for (const screen of screens) {
    await show(page, `#/${screen}/0`)
    await page.locator('main h1, main h2').first().waitFor()
    expect({ screen, serious: await seriousIn(page) }).toEqual({ screen, serious: [] })
  }
  await show(page, '#/runs/0')
  await page.getByRole('heading', { name: 'up: done' }).waitFor()
  await page.screenshot({ path: join(shots, 'exported.png'), fullPage: true })
  expect(await page.getByRole('button', { name: /Apply|look now/ }).count()).toBe(0)
  expect({ problems, asked: asked.map((url) => url.split('#')[0]) }).toEqual({ problems: [], asked: [address] })
  await page.close()
})

/** Texts that choose what is drawn; every other text comes from outside. */
const ownWords = new Set([
  'level',
  'severity',
  'kind',
  'certainty',
  'role',
  'effect',
  'outcome',
  'type',
  'action',
  'at',
])
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text)

/** Markup in every text that ichor has read somewhere: names, notes, findings, objects, reports of steps. */
function planted(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => planted(one, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, planted(one, name)]))
  if (typeof value !== 'string' || ownWords.has(key) || isTime(value)) return value
  return `${value}<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`
}

async function plantIn(page: Page): Promise<void> {
  const json = async (route: Route) => {
    const response = await route.fetch()
    if (response.status() !== 200) return route.fulfill({ response })
    return route.fulfill({ response, body: JSON.stringify(planted(await response.json())) })
  }
  await page.route('**/state', json)
  await page.route('**/plan?*', json)
  await page.route('**/events?*', async (route) => {
    const events = await route.fetch({ url: route.request().url().replace('/events', '/run') })
    const found = planted(await events.json()) as { seq: number }[]
    const body = found.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    return route.fulfill({ status: 200, contentType: 'text/event-stream', body })
  })
}

test('markup in names, notes, findings, objects and reports of steps stays text on every screen', async () => {
  scene.desk.write('fleet/dev/cluster.yaml', smallInventory.replace('worker_count: 1', 'worker_count: 2'))
  const page = await scene.browser.newPage({ viewport: { width: 1280, height: 800 } })
  await plantIn(page)
  await page.goto(scene.served.link())
  await page.getByText('onerror').first().waitFor()
  for (const screen of screens) {
    await show(page, `#/${screen}/0`)
    await page.locator('main').getByText('onerror').first().waitFor()
    expect({ screen, images: await page.locator('img').count() }).toEqual({ screen, images: 0 })
  }
  await page.keyboard.press('/')
  await page.keyboard.type('onerror')
  await page.getByRole('dialog').getByText('onerror').first().waitFor()
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  await page.close()
})

test('no secret of the cluster is in anything that the page gets, or in the exported file', async () => {
  const { desk, browser, served } = scene
  const page = await openPage(browser, served.link())
  const texts: string[] = []
  page.on('response', async (response) => {
    // A stream has no end: its events are those of the journal.
    if (!response.url().includes('/events')) texts.push(await response.text().catch(() => ''))
  })
  for (const screen of screens) {
    await show(page, `#/${screen}/0`)
    await page.locator('main h1, main h2').first().waitFor()
    texts.push(await page.content())
  }
  await desk.ichor(['ui', '--lab', '-i', 'fleet', '--export', 'page.html'])
  texts.push(readFileSync(join(desk.folder, 'page.html'), 'utf8'))
  desk.write('plain/cluster.yaml', smallInventory)
  copyFileSync(join(desk.folder, 'fleet/dev/secrets.lab.sops.yaml'), join(desk.folder, 'plain/secrets.sops.yaml'))
  await desk.ichor(['secrets', 'decrypt', '-i', 'plain'])
  const secrets = readFileSync(join(desk.folder, 'plain/secrets.yaml'), 'utf8').match(/[A-Za-z0-9+/=_-]{24,}/g) ?? []
  expect(secrets.length).toBeGreaterThan(10)
  expect(texts.join('').length).toBeGreaterThan(10_000)
  expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([])
  await page.close()
})
