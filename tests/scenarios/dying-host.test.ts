import { afterEach, expect, test } from 'vitest'
import { up } from '../../src/operations/goals.js'
import { preview } from '../../src/operations/reconcile.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

test('a host that died a moment ago, and may still be listed as online: what runs on it is unread, and nothing is made again', async () => {
  stage = await aStage({ speed: 60, files: { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 0 }) } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const { world, close } = await stage.connect()
  const signal = AbortSignal.timeout(50_000)
  await world.proxmox.cluster.version(signal)
  const request = { spec: await stage.spec(world), world, goal: up, signal }
  const noticed = stage.lab.proxmox.setHostOnline('pve2', false)
  const { observed, plan } = await preview(request)
  await close()
  const why = expect.stringMatching(/^pve2 (does not answer|is offline)$/)
  expect(observed.proxmox.unreadHosts).toEqual([{ host: 'pve2', why }])
  expect([plan.away, plan.steps]).toEqual([['dev-cp-2'], []])
  await noticed
})
