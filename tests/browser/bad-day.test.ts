import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aScene, openPage, type Scene, seriousIn, show } from './browse.js'

const inventory = `cluster_name: dev
control_plane_count: 3
worker_count: 2
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
  vip: 10.0.10.5
addons:
  metrics_server: true
`
const shots = resolve('dist-browser')
const patience = { timeout: 120_000 }
/** More than can be sent while a test runs. */
const always = ['--times', '1000000']

let scene: Scene
let page: Page
beforeAll(async () => {
  mkdirSync(shots, { recursive: true })
  scene = await aScene({ 'cluster.yaml': inventory })
})
afterAll(() => scene.end())
beforeEach(async () => {
  page = await openPage(scene.browser, scene.served.link())
})
afterEach(async () => {
  await scene.desk.ichor(['lab', 'fault', '--clear'])
  await page.close()
})

const panel = (name: string) => page.locator('.panel', { has: page.getByRole('heading', { name, exact: true }) })

async function picture(name: string): Promise<void> {
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
  expect(await seriousIn(page)).toEqual([])
}

test('without the API, what it last showed stays with its age and the reason', async () => {
  await show(page, '#/cluster/0')
  await panel('Addons').getByText('metrics_server').waitFor()
  await scene.desk.ichor(['lab', 'fault', 'refuse', '--surface', 'kubernetes', ...always])
  for (const name of ['Kubernetes API', 'Addons'])
    await panel(name)
      .getByText(/^last seen .*: /)
      .waitFor(patience)
  await panel('Addons').getByText('metrics_server').waitFor()
  await panel('Kubernetes API').getByText('10.0.10.5', { exact: true }).waitFor()
  await page.getByText('? of 5 machines ready').waitFor()
  expect(await page.locator('main .sign.bad').count()).toBe(0)
  await picture('cluster-without-api')
  await scene.desk.ichor(['lab', 'fault', '--clear'])
  await panel('Addons').getByText(/^seen/).waitFor(patience)
})

test('a node whose Talos does not respond is named, and the others are shown as they are', async () => {
  await scene.desk.ichor(['lab', 'fault', 'hang', '--machine', 'dev-wk-2'])
  await page.getByText(/Talos: dev-wk-2 does not respond/).waitFor(patience)
  const block = page.locator('.block', { hasText: 'dev-wk-2' })
  expect(await block.textContent()).toMatch(/silent|unknown/)
  expect(await page.locator('.block', { hasText: 'dev-wk-1' }).textContent()).not.toMatch(/silent|unknown/)
  await picture('estate-without-talos')
  await scene.desk.ichor(['lab', 'fault', 'wake', '--machine', 'dev-wk-2'])
  await page.getByText('5 of 5 machines ready').waitFor(patience)
})

test('without Proxmox, everything is what was seen last, since when, and what to do', async () => {
  await page.getByText('5 of 5 machines ready').waitFor(patience)
  await scene.desk.ichor(['lab', 'fault', 'refuse', '--surface', 'proxmox', ...always])
  await page.getByText('Not seen since').waitFor(patience)
  await page.getByRole('heading', { name: /NOT SEEN It was HEALTHY: 5 of 5 machines ready/ }).waitFor()
  expect(await page.locator('.sources .ok').count()).toBe(0)
  await page.getByText('dev-cp-1').first().waitFor()
  await page.locator('.rack.stale').first().waitFor(patience)
  await picture('estate-without-proxmox')
  await show(page, '#/plan/0')
  await page.getByRole('heading', { name: 'No plan can be made' }).waitFor(patience)
  await picture('plan-without-proxmox')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.keyboard.press('t')
  await show(page, '#/estate/0')
  await picture('estate-without-proxmox-phone')
})
