import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '../../src/events/event.js'
import type { Desk } from '../cli/ichor.js'
import { aScene, cutStream, openPage, type Scene, type ServedPage, seriousIn, show } from './browse.js'

const inventory = (workers: number) => `cluster_name: dev
control_plane_count: 3
worker_count: ${workers}
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
  vip: 10.0.10.5
addons:
  metrics_server: true
`

const shots = resolve('dist-browser')
let scene: Scene
let desk: Desk
let browser: Browser
let served: ServedPage
beforeAll(async () => {
  mkdirSync(shots, { recursive: true })
  scene = await aScene({ 'cluster.yaml': inventory(3) })
  ;({ desk, browser, served } = scene)
})
afterAll(() => scene.end())

const screens = ['estate', 'cluster', 'plan', 'runs'] as const

test('smoke: the estate has every machine on its host, and what is lost with a host', async () => {
  const page = await openPage(browser, served.link())
  const rack = page.getByRole('region', { name: 'Host pve1' })
  await rack.getByText('dev-cp-1').waitFor()
  await rack.getByRole('button', { name: /If it is lost/ }).click()
  const loss = page.getByRole('region', { name: 'If pve1 is lost' })
  await loss.getByText('etcd keeps its majority: 2 of 3 members left, 2 needed').waitFor()
  expect(await loss.textContent()).toContain('ichor capacity --live --lose pve1 --lab')
  expect(page.url()).not.toContain('token')
  await page.close()
})

test.each([
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const)(
  'smoke: no screen has a serious finding of axe, or is too wide: $width, $theme',
  async ({ width, theme }) => {
    const page = await openPage(browser, served.link(), { width, theme })
    const check = async (screen: string) => {
      await page.screenshot({ path: join(shots, `${screen}-${width}-${theme}.png`), fullPage: true })
      const drawn = await page.evaluate('document.documentElement.scrollWidth')
      expect({ screen, drawn, serious: await seriousIn(page) }).toEqual({ screen, drawn: width, serious: [] })
    }
    for (const screen of screens) {
      await show(page, `#/${screen}/0`)
      await page.locator('main h1').first().waitFor()
      await check(screen)
    }
    await page.locator('.step').first().click()
    await check('step')
    await show(page, '#/estate/0/pve1')
    await page.getByRole('region', { name: 'If pve1 is lost' }).waitFor()
    await check('what-if')
    await page.keyboard.press('/')
    await page.keyboard.type('dev')
    await check('search')
    await page.close()
  },
)

test('the cluster shows where the VIP is, the leader of etcd with sizes, memory by the kubelet, and versions', async () => {
  const page = await openPage(browser, served.link())
  await show(page, '#/cluster/0')
  const panel = (name: string) => page.locator('.panel', { has: page.getByRole('heading', { name, exact: true }) })
  expect(await panel('Kubernetes API').textContent()).toMatch(/10\.0\.10\.5 is on dev-cp-\d/)
  expect(await panel('etcd').textContent()).toMatch(/leader.*MiB/)
  await panel('Machines')
    .getByText(/^\d\.\d GiB$/)
    .first()
    .waitFor()
  expect(await panel('Versions').textContent()).toMatch(/Talosv1.*Proxmox VE9\./)
  await show(page, '#/estate/0')
  expect(await page.locator('.rack').first().textContent()).toMatch(/Proxmox VE 9\..*\d of 8 GiB/)
  await page.close()
})

test('smoke: everything by keyboard: search, screens, steps, theme', async () => {
  const page = await openPage(browser, served.link())
  await page.keyboard.press('/')
  await page.keyboard.type('dev-wk-2')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#\/cluster\/0\/machine-dev-wk-2/)
  await page.locator('#machine-dev-wk-2').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('/')
  await page.keyboard.type('dev')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('4')
  await page.waitForURL(/#\/runs\/0/)
  const steps = page.locator('.step')
  await steps.first().waitFor()
  await steps.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByText('took', { exact: true }).first().waitFor()
  // One step is reached with Tab, not each of them.
  expect(await page.locator('.step[tabindex="0"]').count()).toBe(1)
  await page.keyboard.press('t')
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.close()
})

test('what is typed right after the slash is in the field', async () => {
  const page = await openPage(browser, served.link())
  const pressed = "dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))"
  const next = "new Promise((done) => setTimeout(() => done(document.querySelector('dialog')?.open)))"
  expect(await page.evaluate(`${pressed}; ${next}`)).toBe(true)
  await page.close()
})

test('smoke: a person can ask for a look, and what three looks missed turns pale, part by part', async () => {
  const page = await openPage(browser, served.link())
  const looked = page.waitForResponse(/\/look\?cluster=0/)
  await page.getByRole('button', { name: /^seen .*look now$/ }).click()
  expect((await looked).status()).toBe(200)
  expect(await page.locator('main .stale').count()).toBe(0)
  await page.route('**/state', (route) => route.abort())
  await page.clock.install({ time: Date.now() + 600_000 })
  await page.locator('.verdict.stale').waitFor()
  for (const part of ['.rack', '.fact:has-text("etcd")'])
    expect({ part, fresh: await page.locator(`${part}:not(.stale)`).count() }).toEqual({ part, fresh: 0 })
  await page.getByText('seen 10 min ago').first().waitFor()
  await page.screenshot({ path: join(shots, 'estate-pale.png') })
  expect(await seriousIn(page)).toEqual([])
  await page.close()
})

test('HTML in a journal stays text, and a loaded page asks for its link', async () => {
  const evil = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'
  const steps = [{ id: evil, kind: evil, title: evil, after: [], machine: evil }]
  const at = '2020-01-01T00:00:00.000Z'
  const events = [
    { type: 'run.started', at, version: 1, cluster: evil, goal: evil, changes: 1, steps, run: 'e', seq: 1 },
    { type: 'step.started', at, step: evil, attempt: 1, run: 'e', seq: 2 },
    { type: 'step.failed', at, step: evil, problem: evil, where: evil, fix: evil, run: 'e', seq: 3 },
    { type: 'run.finished', at, outcome: 'failed', changed: 0, ms: 1, failed: [evil], next: [evil], run: 'e', seq: 4 },
  ]
  const file = join(desk.folder, '.ichor', 'journal', '2020-01-01T00-00-00.000Z-evil.jsonl')
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  const page = await openPage(browser, served.link())
  await show(page, '#/runs/0/2020-01-01T00-00-00.000Z-evil')
  await page.getByText('onerror').first().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  await page.reload()
  await page.getByText('Open the link that the terminal shows').waitFor()
  await page.close()
})

/** Of the newest journal. */
function lastRun(): RunEvent[] {
  const folder = join(desk.folder, '.ichor', 'journal')
  const name = readdirSync(folder).sort().at(-1) ?? ''
  return readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent)
}

test('a run of another terminal is followed to its end, also over a cut, and ends as its journal', async () => {
  const page = await openPage(browser, served.link())
  desk.write('cluster.yaml', inventory(4))
  await show(page, '#/runs/0')
  const run = desk.ichor(['up', '--lab', '--yes'])
  await page.getByText(/^up: \d+ of \d+ steps$/).waitFor()
  await page.screenshot({ path: join(shots, 'run-live.png') })
  await cutStream(page, true)
  await page.getByText('the connection was cut').waitFor()
  expect((await run).code).toBe(0)
  expect(await page.locator('.step:not(.done)').count()).toBeGreaterThan(0)
  await cutStream(page, false)
  await page.getByRole('heading', { name: 'up: done' }).waitFor()
  const events = lastRun()
  expect((await drawnSteps(page)).toSorted()).toEqual(stepsIn(events).toSorted())
  expect(events.filter(({ type }) => type === 'step.finished').length).toBeGreaterThan(5)
  await page.getByText('critical path').first().waitFor()
  await page.getByText(/, floor \d/).waitFor()
  expect(await page.locator('.step.critical').count()).toBeGreaterThan(2)
  await page.close()
})

/** Every step of the grid, as it is drawn: `start dev-wk-4: done`. */
function drawnSteps(page: Page): Promise<string[]> {
  return page
    .locator('.step')
    .evaluateAll((steps) =>
      steps.map(
        (step) => `${step.getAttribute('title')}: ${step.className.split(' ').find((name: string) => name !== 'step')}`,
      ),
    )
}

/** The same from the journal: what was announced, and the last word on each. */
function stepsIn(events: readonly RunEvent[]): string[] {
  const titles = new Map<string, string>()
  const states = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'run.started' || event.type === 'round.started')
      for (const { id, title } of event.steps) titles.set(id, title)
    if (event.type === 'step.finished') states.set(event.step, 'done')
    if (event.type === 'step.failed') states.set(event.step, 'failed')
  }
  return [...new Set([...titles.keys(), ...states.keys()])].map((id) => `${titles.get(id) ?? id}: ${states.get(id)}`)
}

test('every run is in the history, an earlier one opens, and the run before is drawn beside it', async () => {
  const page = await openPage(browser, served.link())
  await show(page, '#/runs/0')
  const rows = page.locator('table:not(.steps) tbody tr')
  await expect.poll(() => rows.count()).toBeGreaterThan(2)
  expect(await page.locator('.timeline .ghost').count()).toBeGreaterThan(0)
  const first = rows.filter({ hasNotText: 'onerror' }).last()
  await first.getByRole('link').click()
  await page.locator('.step[title^="create the cluster secrets"]').waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline: plus and minus zoom' })
  const widthOf = () => page.locator('.timeline').evaluate((drawn) => drawn.getBoundingClientRect().width)
  const before = await widthOf()
  await timeline.focus()
  await page.keyboard.press('+')
  expect(await widthOf()).toBeGreaterThan(before)
  // Its text has the size of other text, however wide the window is.
  for (const width of [390, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate("document.querySelector('.timeline').getCTM().a")).toBe(1)
  }
  await page.getByLabel('Machine').fill('dev-wk-1')
  await page.getByRole('img', { name: '1 lanes' }).waitFor()
  await page.close()
})

test('a plan is a grid of machines and rounds; a step shows why, and what it waits for', async () => {
  desk.write('cluster.yaml', inventory(5))
  const page = await openPage(browser, served.link())
  await show(page, '#/plan/0')
  await page.getByRole('heading', { name: '1 machine to create' }).waitFor()
  await page.getByRole('button', { name: /^start dev-wk-5/ }).click()
  await page.getByText('new machine').first().waitFor()
  const { digest } = JSON.parse((await desk.ichor(['plan', '--lab', '--json'])).stdout)
  await page.getByText(digest.slice(0, 16)).waitFor()
  await page.screenshot({ path: join(shots, 'plan-changes.png') })
  expect(await seriousIn(page)).toEqual([])
  await page.close()
})

test('a run that fails shows the step, the error, where, and the fix', async () => {
  desk.write('cluster.yaml', inventory(5))
  const page = await openPage(browser, served.link())
  const fault = ['fail-task', '--path', 'status/start', '--method', 'POST', '--message', 'no memory', '--times', '20']
  await desk.ichor(['lab', 'fault', ...fault])
  expect((await desk.ichor(['up', '--lab', '--yes'])).code).not.toBe(0)
  await desk.ichor(['lab', 'fault', '--clear'])
  const failed = lastRun().findLast((event) => event.type === 'step.failed')
  if (failed?.type !== 'step.failed') throw new Error('no step has failed')
  await show(page, '#/runs/0')
  await page.getByText(failed.problem).first().waitFor()
  await page.getByText(failed.fix).first().waitFor()
  await page.getByText(failed.where).first().waitFor()
  expect(await page.locator('.step.failed').count()).toBeGreaterThan(0)
  await page.screenshot({ path: join(shots, 'run-failed.png'), fullPage: true })
  expect(await seriousIn(page)).toEqual([])
  await page.close()
})

test('on a bad day the page shows what it last saw of an offline host, and since when', async () => {
  const page = await openPage(browser, served.link())
  await desk.ichor(['lab', 'fault', 'host-offline', '--host', 'pve3'])
  await page.getByText('These numbers are from').waitFor({ timeout: 60_000 })
  await page
    .getByText(/pve3 is offline/)
    .first()
    .waitFor()
  for (const theme of ['light', 'dark']) {
    await page.screenshot({ path: join(shots, `estate-bad-${theme}.png`), fullPage: true })
    expect(await seriousIn(page)).toEqual([])
    await page.keyboard.press('t')
  }
  await show(page, '#/cluster/0')
  await page.screenshot({ path: join(shots, 'cluster-bad.png'), fullPage: true })
  await page.close()
})
