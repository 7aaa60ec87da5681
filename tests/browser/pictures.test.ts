import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aScene, type Scene } from './browse.js'

const shots = resolve('dist-browser')
const inventory = `cluster_name: prod
control_plane_count: 3
worker_count: 5
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
  vip: 10.0.10.5
addons:
  metrics_server: true
guests:
  - { name: truenas, host: pve1, vmid: 120, cpu: 2, ram: 16G, disk: 32G }
  - { name: postgres, host: pve2, vmid: 121, cpu: 2, ram: 8G, disk: 32G }
proxmox:
  target_nodes: [pve1, pve2, pve3]
  datastore: local-lvm
backup:
  etcd:
    schedule: 0 3 * * *
`

let scene: Scene
beforeAll(async () => {
  mkdirSync(shots, { recursive: true })
  scene = await aScene({ 'cluster.yaml': inventory })
  await scene.desk.ichor(['backup', '--lab'])
})
afterAll(() => scene.end())

test.each(['light', 'dark'] as const)('the picture of the first screen for the README, %s', async (theme) => {
  const page = await scene.browser.newPage({
    viewport: { width: 1280, height: 945 },
    deviceScaleFactor: 1.5,
    colorScheme: theme,
  })
  await page.goto(scene.served.link())
  await page.getByText('8 of 8 machines ready').waitFor()
  const rack = page.getByRole('region', { name: 'Host pve1' })
  // A line of the load needs three looks.
  await rack.getByRole('img', { name: 'Memory of pve1 in the last looks' }).waitFor({ timeout: 120_000 })
  await rack.getByRole('button', { name: /If it is lost/ }).click()
  await page.getByRole('region', { name: 'If pve1 is lost' }).waitFor()
  await page.screenshot({ path: join(shots, `dashboard-${theme}.png`) })
  expect(await page.locator('.stale').count()).toBe(0)
  await page.close()
})
