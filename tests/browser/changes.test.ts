import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallInventory } from '../cli/ichor.js'
import { aScene, openPage, type Scene, seriousIn, show } from './browse.js'

const inventory = (workers: number) => smallInventory.replace('worker_count: 1', `worker_count: ${workers}`)

let scene: Scene
beforeAll(async () => {
  scene = await aScene({ 'cluster.yaml': inventory(1) }, { page: ['--allow-changes'], speed: 100 })
})
afterAll(() => scene.end())

const journals = () => readdirSync(join(scene.desk.folder, '.ichor', 'journal')).length

async function planOn(page: Page, heading: string) {
  await show(page, '#/plan/0')
  await page.getByRole('heading', { name: heading }).waitFor()
  await page.getByRole('button', { name: 'Apply this plan…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply this plan' })
  return { dialog, apply: dialog.getByRole('button', { name: 'Apply', exact: true }) }
}

/** The same request once more, as somebody who has read it could send it. */
async function sendAgain(request: Request, change: { body?: object; headers?: Record<string, string> } = {}) {
  const headers = { ...(await request.allHeaders()), ...change.headers }
  const sent = ['content-type', 'x-ichor-token', 'origin'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as [string, string]],
  )
  const body = JSON.stringify({ ...JSON.parse(request.postData() ?? '{}'), ...change.body })
  return (await fetch(request.url(), { method: 'POST', headers: sent, body })).status
}

test('the plan on the screen is applied by its digest, and its run is followed to the end; its approval counts once', async () => {
  const { desk, browser, served } = scene
  desk.write('cluster.yaml', inventory(2))
  const { digest } = JSON.parse((await desk.ichor(['plan', '--lab', '--json'])).stdout)
  const page = await openPage(browser, served.link())
  const { dialog, apply } = await planOn(page, '1 machine to create')
  expect(await dialog.getByRole('textbox').count()).toBe(0)
  expect(await seriousIn(page)).toEqual([])
  const before = journals()
  const sending = page.waitForRequest(/carry-out/)
  await apply.click()
  const request = await sending
  expect(JSON.parse(request.postData() ?? '')).toEqual({ digest, name: '' })
  await page.getByRole('heading', { name: 'up: done' }).waitFor()
  expect(journals()).toBe(before + 1)
  expect({
    replayed: await sendAgain(request),
    edited: await sendAgain(request, { body: { digest: `${digest}0`, name: 'dev' } }),
    forged: await sendAgain(request, { headers: { 'x-ichor-token': 'A'.repeat(43) } }),
    foreign: await sendAgain(request, { headers: { origin: 'http://127.0.0.1:1' } }),
  }).toEqual({ replayed: 409, edited: 409, forged: 403, foreign: 403 })
  expect(journals()).toBe(before + 1)
  await page.close()
})

test('what interrupts or loses something needs the name of the cluster, and of two approvals one is refused', async () => {
  const { desk, browser, served } = scene
  desk.write('cluster.yaml', inventory(1))
  const pages = [await openPage(browser, served.link()), await openPage(browser, served.link())] as const
  const forms = [await planOn(pages[0], '1 machine to delete'), await planOn(pages[1], '1 machine to delete')] as const
  for (const { dialog, apply } of forms) {
    expect(await apply.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('prod')
    expect(await apply.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('dev')
    expect(await apply.isDisabled()).toBe(false)
  }
  expect(await seriousIn(pages[0])).toEqual([])
  const before = journals()
  const answers = await Promise.all(
    forms.map(async ({ apply }, index) => {
      const answer = pages[index as 0 | 1].waitForResponse(/carry-out/)
      await apply.click()
      return (await answer).status()
    }),
  )
  expect(answers.toSorted()).toEqual([200, 409])
  const [taken, refused] = answers[0] === 200 ? pages : ([pages[1], pages[0]] as const)
  await refused.getByRole('alert').filter({ hasText: 'A run of this page is under way' }).waitFor()
  await taken.getByRole('heading', { name: 'up: done' }).waitFor()
  expect(journals()).toBe(before + 1)
  for (const page of pages) await page.close()
})
