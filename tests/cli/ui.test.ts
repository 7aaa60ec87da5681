import type { ChildProcess } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageState, PlanAnswer } from '../../src/page/state.js'
import { aDesk, type Desk, ended, smallInventory } from './ichor.js'

let desk: Desk
let child: ChildProcess
let link: URL
beforeAll(async () => {
  desk = aDesk()
  desk.write('cluster.yaml', smallInventory)
  await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '300', '--detach'])
  await desk.ichor(['up', '--lab', '--yes'])
  child = desk.start(['ui', '--lab', '--no-open'])
  link = new URL(await firstLine(child))
})
afterAll(async () => {
  const end = ended(child)
  child.kill('SIGINT')
  await end
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

function firstLine(of: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    of.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))
    of.once('close', () => reject(new Error('ichor ui ended')))
  })
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(new URL(path, link), { headers: { 'x-ichor-token': link.hash.slice('#token='.length) } })
  expect(response.status).toBe(200)
  return response.json() as Promise<T>
}

test('it shows what status, doctor and plan show, by the same digest, of the inventory as it is now', async () => {
  const state = () => get<PageState>('/state')
  await expect
    .poll(async () => (await state()).clusters[0]?.snapshot?.verdict.word, { timeout: 30_000 })
    .toBe('HEALTHY')
  const [cluster] = (await state()).clusters
  expect(cluster).toMatchObject({ name: 'dev', options: '--lab', failure: null })
  expect(cluster?.snapshot?.machines.map(({ name, ready }) => [name, ready])).toEqual([
    ['dev-cp-1', true],
    ['dev-wk-1', true],
  ])
  expect(cluster?.snapshot?.hosts.flatMap(({ blocks }) => blocks.map(({ name }) => name))).toEqual([
    'dev-cp-1',
    'dev-wk-1',
  ])
  const { lose } = JSON.parse((await desk.ichor(['capacity', '--live', '--lose', 'pve1', '--lab', '--json'])).stdout)
  expect(cluster?.snapshot?.losses).toEqual([lose])
  expect(lose).toMatchObject({ host: 'pve1', etcd: { survives: false } })
  const doctor = JSON.parse((await desk.ichor(['doctor', '--lab', '--json'])).stdout)
  expect(cluster?.snapshot?.findings.map(({ finding }) => finding.code)).toEqual(
    doctor.findings.map(({ code }: { code: string }) => code),
  )
  expect(cluster?.runs).toMatchObject([{ goal: 'up', outcome: 'done' }])

  desk.write('cluster.yaml', smallInventory.replace('worker_count: 1', 'worker_count: 2'))
  const out = JSON.parse((await desk.ichor(['plan', '--lab', '--json'])).stdout)
  // The inventory is read again, so that an open page never shows the plan of an older one.
  const { plan } = await get<PlanAnswer>('/plan')
  expect(plan?.digest).toBe(out.digest)
  expect(plan?.machines).toEqual(out.machines)
  desk.write('cluster.yaml', smallInventory.replace('node: pve1', 'node: pve1\n  endpoint: https://10.9.9.9:8006'))
  await expect
    .poll(async () => (await state()).clusters[0]?.failure?.problem, { timeout: 30_000 })
    .toMatch(/another Proxmox/)
  desk.write('cluster.yaml', smallInventory)
})

test('the key of the link is in no process list and no journal', async () => {
  const key = link.hash.slice('#token='.length)
  expect(key).toHaveLength(43)
  expect(child.spawnargs.join(' ')).not.toContain(key)
  const files = await desk.ichor(['lab', 'log'])
  expect(files.stdout + files.stderr).not.toContain(key)
})

test('the page as a file holds what is shown, no secret, and allows no script but its own', async () => {
  const { code, stderr } = await desk.ichor(['ui', '--lab', '--export', 'page.html'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('wrote page.html')])
  const html = readFileSync(join(desk.folder, 'page.html'), 'utf8')
  expect(html).toContain('dev-wk-1')
  expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/)
  expect(html).not.toMatch(/unsafe-|https?:\/\/(?!10\.|www\.w3\.org)[\w.]*\/[^"]*\.(?:js|css)/)
  desk.write('plain/cluster.yaml', smallInventory)
  copyFileSync(join(desk.folder, 'secrets.lab.sops.yaml'), join(desk.folder, 'plain', 'secrets.sops.yaml'))
  await desk.ichor(['secrets', 'decrypt', '-i', 'plain'])
  const secrets = secretsIn(readFileSync(join(desk.folder, 'plain', 'secrets.yaml'), 'utf8'))
  expect(secrets.length).toBeGreaterThan(10)
  expect(secrets.filter((secret) => html.includes(secret))).toEqual([])
})

/** Whatever is long and random. */
function secretsIn(text: string): string[] {
  return [...text.matchAll(/[A-Za-z0-9+/=_-]{24,}/g)].map(([found]) => found)
}

test('the script is at most 120 kB as it is sent', () => {
  expect(gzipSync(readFileSync('dist/ui/page.js')).length).toBeLessThan(120_000)
})
