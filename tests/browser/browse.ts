import type { ChildProcess } from 'node:child_process'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { aDesk, type Desk, ended } from '../cli/ichor.js'

export type Look = { readonly width?: number; readonly height?: number; readonly theme?: 'light' | 'dark' }

/** Debian's Chromium, or the one that CHROMIUM names. It has no sandbox for root, and opens nothing but our page. */
function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
}

export interface ServedPage {
  readonly child: ChildProcess
  link(): string
}

/** `ichor ui` on a desk, and the link that it shows. */
async function servePage(desk: Desk, words: readonly string[] = []): Promise<ServedPage> {
  const child = desk.start(['ui', '--lab', '--no-open', ...words])
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve()
    })
    child.once('close', (code) => reject(new Error(`ichor ui ended with ${code}`)))
  })
  return { child, link: () => text.trim().split('\n').at(-1) ?? '' }
}

/** A lab with what is in these inventories, built, and its page in a browser. */
export interface Scene {
  readonly desk: Desk
  readonly browser: Browser
  readonly served: ServedPage
  end(): Promise<void>
}

export async function aScene(
  files: Readonly<Record<string, string>>,
  {
    page = [],
    built = ['.'],
    lab = ['-i', '.'],
    speed = 20,
  }: { page?: readonly string[]; built?: readonly string[]; lab?: readonly string[]; speed?: number } = {},
): Promise<Scene> {
  const desk = aDesk()
  for (const [path, text] of Object.entries(files)) desk.write(path, text)
  await desk.ichor(['lab', 'start', ...lab, '--speed', String(speed), '--detach'])
  for (const folder of built) {
    const { code, stderr } = await desk.ichor(['up', '--lab', '-i', folder, '--yes'])
    if (code !== 0) throw new Error(stderr)
  }
  const served = await servePage(desk, page)
  const browser = await openBrowser()
  return {
    desk,
    browser,
    served,
    end: async () => {
      await browser.close()
      const end = ended(served.child)
      served.child.kill('SIGINT')
      await end
      await desk.ichor(['lab', 'stop'])
      desk.clear()
    },
  }
}

/** Lets a test cut the stream of events, and keep it cut: `setOffline` leaves open connections alone. */
const cuttable = `
  const own = globalThis.fetch
  globalThis.cut = { isOn: false, abort: () => {} }
  globalThis.fetch = (input, init = {}) => {
    if (!String(input).startsWith('/events')) return own(input, init)
    if (globalThis.cut.isOn) return Promise.reject(new TypeError('cut'))
    const ended = new AbortController()
    globalThis.cut.abort = () => ended.abort()
    return own(input, { ...init, signal: AbortSignal.any([ended.signal, init.signal]) })
  }`

export async function cutStream(page: Page, isOn: boolean): Promise<void> {
  await page.evaluate(`globalThis.cut.isOn = ${isOn}; if (${isOn}) globalThis.cut.abort()`)
}

/** A new tab with the page, after its first look. What the page reports as an error fails the test. */
export async function openPage(
  browser: Browser,
  link: string,
  { width = 1280, height = 800, theme = 'light' }: Look = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme, bypassCSP: false })
  page.on('pageerror', (error) => {
    throw error
  })
  await page.addInitScript(cuttable)
  await page.goto(link)
  await page
    .getByText(/machines? ready/)
    .first()
    .waitFor()
  return page
}

export async function show(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
  await page.waitForTimeout(300)
}

/** What axe finds serious or critical, as one line each. Its script comes through the debugger: the policy allows none. */
export async function seriousIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
      }
    ).axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}
