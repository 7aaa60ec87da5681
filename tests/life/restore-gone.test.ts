import { afterEach, expect, test } from 'vitest'
import { objectsInEtcd } from '../support/etcd-objects.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aConfigMap, aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const offline = (isOnline: boolean) => async (host: string) => program.lab().lab.proxmox.setHostOnline(host, isOnline)

test('two hosts are given up with a majority of etcd, and come back: the old etcd goes before anybody believes it', async () => {
  const options = { topology: aTopology({ hosts: 5 }), speed: 1000 }
  program = await aProgram({ 'cluster.yaml': clusterYaml({ workers: 1 }) }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await program.apply(aConfigMap('precious'))
  const { snapshot } = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  await program.apply(aConfigMap('of-the-old-etcd'))
  for (const host of ['pve1', 'pve2']) await offline(false)(host)

  const refused = await program.ichor(['restore', snapshot.name, '--yes', '--json'])
  expect(refused.code).toBe(3)
  expect(refused.json().at(-1)).toMatchObject({
    error: {
      message: 'dev-cp-1, dev-cp-2 cannot be reached and may return with the old etcd.',
      fix: expect.stringContaining('--gone'),
    },
  })
  const restored = await program.ichor(['restore', snapshot.name, '--yes', '--gone'])
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('dev is incomplete: dev-cp-1') })
  const objects = async (address: string) => objectsInEtcd((await program.connect()).world, address)
  const after = await objects('10.0.10.12')
  expect(after.has('/registry/configmaps/default/precious')).toBe(true)
  expect(after.has('/registry/configmaps/default/of-the-old-etcd')).toBe(false)

  // Two of three old members are a majority of their own, and run before ichor looks.
  for (const host of ['pve1', 'pve2']) await offline(true)(host)
  await expect.poll(async () => (await objects('10.0.10.10')).size, { timeout: 20_000 }).toBeGreaterThan(0)
  const plan = await program.ichor(['plan', '--json'])
  const { steps } = plan.json().at(-1) as { steps: { kind: string; title: string; round: number }[] }
  expect(steps.filter(({ round }) => round === 1).map(({ title }) => title)).toEqual(
    expect.arrayContaining(['switch dev-cp-1 off permanently', 'delete the VM of dev-cp-2']),
  )
  const up = await program.ichor(['up', '--yes'])
  expect(up.code, up.stderr.slice(-1500)).toBe(0)
  for (const address of ['10.0.10.10', '10.0.10.11', '10.0.10.12']) {
    const now = await objects(address)
    expect(now.has('/registry/configmaps/default/precious')).toBe(true)
    expect(now.has('/registry/configmaps/default/of-the-old-etcd')).toBe(false)
  }
  const [status] = (await program.ichor(['status', '--json'])).json()
  expect(status).toMatchObject({ healthy: true, etcd: { members: 3, healthy_members: 3 } })
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
})

test('a worker whose host is away during the restore could not be marked: it reboots when it is back', async () => {
  const options = { topology: aTopology({ hosts: 3 }), speed: 1000 }
  const extra = 'placement:\n  strategy: pin\n  pinned: { dev-cp-1: pve1, dev-wk-1: pve3 }\n'
  const yaml = clusterYaml({ controlPlanes: 1, workers: 1, extra })
  program = await aProgram({ 'cluster.yaml': yaml }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  const { snapshot } = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  await offline(false)('pve3')
  const restored = await program.ichor(['restore', snapshot.name, '--yes', '--over-healthy'])
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('dev is incomplete: dev-wk-1') })
  await offline(true)('pve3')
  const up = await program.ichor(['up', '--yes'])
  expect(up.code, up.stderr.slice(-1500)).toBe(0)
  expect(up.stderr).toContain('reboot dev-wk-1, which ran through the restore')
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
})
