import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { servePage } from '../../src/page/server.js'
import type { PageCluster } from '../../src/page/watched-cluster.js'
import { aLargeSnapshot, eventsOfLargeRun } from './support/large-page.js'

const machines = 500
/** All steps have ended by then. */
const events = 4000
const manyEvents = 20_000
/** CPU time of a look at that many machines, spread over its duration as that of a real one. */
const lookCpuMs = 1000
const idleMs = 60_000

/** The page of `ichor ui` in Chromium, with a large cluster and a large run that goes on while somebody uses it. */
export default {
  name: 'page',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ichor-page-bench-'))
    const stop = new AbortController()
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    })
    let link = ''
    const page = await servePage({
      clusters: [aCluster(folder)],
      assets: { script: await readFile('dist/ui/page.js', 'utf8'), style: await readFile('dist/ui/page.css', 'utf8') },
      ichorVersion: '0',
      commands: [],
      port: 0,
      signal: stop.signal,
      onLink: (url) => {
        link = url
      },
    })
    try {
      return await measure(browser, link, folder)
    } finally {
      stop.abort()
      await page.close()
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(browser: Browser, link: string, folder: string) {
  const tab = await open(browser, link)
  await tab.locator('.rack').first().waitFor()
  const paintMs = await firstPaint(browser, link)
  const idleShare = await shareOfIdleServer()
  const journal = await aJournal(folder)
  const running = journal.write(events, 100)
  const interactions = await use(tab, running)
  await running
  await tab.getByText(`${machines * 3} of ${machines * 3} steps`).waitFor()
  // Long lists are drawn over several frames: what is not drawn yet would count as growth later.
  for (const rows of ['.steps tbody tr', '.timeline > g'])
    await tab
      .locator(rows)
      .nth(machines - 1)
      .waitFor({ state: 'attached', timeout: 120_000 })
  const heapAfterRun = await heapOf(tab)
  await journal.write(manyEvents - events, 1000)
  const { step, text } = journal.last()
  await tab.locator(`.step[title="${step.replace(':', ' ')}"]`).click()
  await tab.getByText(text).waitFor()
  const heapAfterMany = await heapOf(tab)
  const name = `${machines} machines, a run of ${events} events that goes on`
  return [
    { name: `${machines} machines: from the link to the racks on the screen`, value: paintMs, limit: 1000, unit: 'ms' },
    {
      name: `the same, page open, nothing happens, ${lookCpuMs} ms of CPU for a look: CPU of the server`,
      value: Number((idleShare * 100).toFixed(1)),
      limit: 5,
      unit: '% of a core',
    },
    {
      name: `${name}: interaction, 95th percentile of ${interactions.length}`,
      value: percentile(interactions, 0.95),
      limit: 100,
      unit: 'ms',
    },
    {
      name: `${manyEvents} events: memory of the page beside that after ${events}`,
      value: Number((heapAfterMany / heapAfterRun).toFixed(2)),
      limit: 1.1,
      unit: 'times',
    },
  ]
}

function aCluster(folder: string): PageCluster {
  return {
    name: 'big',
    options: '-i big',
    folder,
    look: async () => {
      const before = process.cpuUsage()
      while (process.cpuUsage(before).user < lookCpuMs * 1000) {
        for (let count = 0; count < 1e6; count++) Math.sqrt(count)
        await new Promise((resolve) => setImmediate(resolve))
      }
      return aLargeSnapshot(machines)
    },
    plan: () => Promise.reject(new Error('there is no plan')),
  }
}

/** What is done by hand is timed by the browser: from the key or click to what it shows. */
async function open(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(`
    globalThis.interactions = new Map()
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId > 0)
          interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
    }).observe({ type: 'event', durationThreshold: 16, buffered: true })
    new MutationObserver((_, observer) => {
      if (document.querySelector('.rack') === null) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => { globalThis.racksAt = performance.now() }))
    }).observe(document, { childList: true, subtree: true })`)
  await page.goto(link)
  return page
}

/** In a browser profile that has never seen the page. The server has looked at the cluster already. */
async function firstPaint(browser: Browser, link: string): Promise<number> {
  const page = await open(browser, link)
  // The policy of the page lets no polling script in.
  await page.locator('.rack').first().waitFor()
  await page.waitForTimeout(1000)
  const ms = await page.evaluate<number>('Math.round(globalThis.racksAt)')
  await page.context().close()
  return ms
}

async function shareOfIdleServer(): Promise<number> {
  const [before, from] = [process.cpuUsage(), performance.now()]
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / (performance.now() - from)
}

async function aJournal(folder: string) {
  const path = join(folder, '.ichor', 'journal')
  await mkdir(path, { recursive: true })
  const run = eventsOfLargeRun(machines)
  let last = { step: '', text: '' }
  const write = async (count: number, batch: number) => {
    for (let written = 0; written < count; written += batch) {
      let lines = ''
      for (let line = 0; line < Math.min(batch, count - written); line++) {
        const { value } = run.next()
        if (value?.type === 'step.noted') last = value
        lines += `${JSON.stringify(value)}\n`
      }
      await appendFile(join(path, '2026-11-19T10-00-00.000Z-large.jsonl'), lines)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  return { write, last: () => last }
}

/** Goes through the page by keyboard and mouse, again and again, until the run has ended. */
async function use(page: Page, running: Promise<void>): Promise<number[]> {
  let isOver = false
  void running.then(() => {
    isOver = true
  })
  let count = 0
  const press = async (key: string) => {
    await page.keyboard.press(key)
    await page.waitForTimeout(50)
    count++
  }
  const click = async (selector: string) => {
    await page.locator(selector).first().click()
    await page.waitForTimeout(50)
    count++
  }
  await press('4')
  await page.locator('.step').first().waitFor()
  while (!isOver) {
    await press('4')
    await click('.step')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) await press(key)
    await click('button[aria-label="Zoom in"]')
    await click('button[aria-label="Zoom out"]')
    await press('1')
    await click('.lose')
    await press('/')
    for (const key of 'wk-4') await press(key)
    await press('Escape')
    await press('2')
    await press('t')
  }
  const slow = await page.evaluate<number[]>('[...globalThis.interactions.values()]')
  await page.keyboard.press('4')
  // The browser reports none that was shown within a frame.
  return [...slow, ...Array.from({ length: Math.max(0, count - slow.length) }, () => 16)]
}

/** What cannot be let go: what waits for the next turn of the collector comes and goes. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const sizes: number[] = []
  for (let times = 0; times < 8; times++) {
    await session.send('HeapProfiler.collectGarbage')
    sizes.push((await session.send('Runtime.getHeapUsage')).usedSize)
    await page.waitForTimeout(500)
  }
  await session.detach()
  return Math.min(...sizes)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0
}
