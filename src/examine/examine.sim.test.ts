import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../../tests/support/lab.js'
import type { Seen } from '../cluster/seen.js'
import { observe } from '../observe/observe.js'
import { readOnly } from '../read-only.js'
import { examine } from './examine.js'
import { examineAlarms } from './examine-alarms.js'

const GiB = 1024 ** 3
const signal = new AbortController().signal
let stage: Stage
beforeAll(async () => {
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ workers: 1 }) } })
  await stage.up()
})
afterAll(() => stage.close())

async function examined() {
  const connected = await stage.connect()
  const world = readOnly(connected.world)
  const inventory = await stage.inventory()
  return examine(inventory, await observe(inventory, world, signal), world, signal)
}

async function alarms() {
  const { world } = await stage.connect()
  return examineAlarms(await observe(await stage.inventory(), world, signal), world, signal)
}

const uuidOf = (name: string) => stage.lab.talos.machines().find((machine) => machine.name === name)?.uuid ?? ''

/** The reasons of every part that was not seen. */
function unseenIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const part = value as Partial<Seen<unknown>>
  if (part.seen === false && 'why' in part) return [String(part.why)]
  return Object.values(value).flatMap(unseenIn)
}

test('everything of a healthy cluster is seen, through a world that cannot change anything', async () => {
  const all = await examined()
  expect(unseenIn(all)).toEqual([])
  expect(all.hosts.map(({ name }) => name)).toEqual(['pve1', 'pve2', 'pve3'])
  expect(all.agents).toEqual(
    ['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1'].map((name) => ({ name, answers: { seen: true, value: true } })),
  )
  const [first] = all.machines
  expect(first).toMatchObject({
    platform: { value: 'nocloud' },
    extensions: { value: expect.arrayContaining(['qemu-guest-agent']) },
    disks: { value: [{ path: '/dev/sda', size: 20 * GiB }] },
    time: { value: { isSynced: true, isDisabled: false } },
    diagnostics: { value: [] },
    udp: { value: { checksumErrors: 0 } },
    controlPlane: { etcd: { value: { isLearner: false } }, slowWrites: { value: [] } },
  })
  expect(first?.controlPlane?.discovered).toMatchObject({ value: expect.arrayContaining(['dev-wk-1']) })
  const [components, deployments] = [all.kubernetes?.components, all.kubernetes?.deployments]
  expect(components).toMatchObject({ value: { 'kube-apiserver': 3, 'kube-scheduler': 3 } })
  expect(deployments).toMatchObject({ value: [{ name: 'coredns', wanted: 2, ready: 2 }] })
  expect(all.kubernetes?.daemonSets).toMatchObject({
    value: expect.arrayContaining([{ namespace: 'kube-system', name: 'kube-flannel', wanted: 4, ready: 4 }]),
  })
})

test('what goes wrong is seen where it goes wrong', async () => {
  const { proxmox, talos } = stage.lab
  proxmox.trouble.fillMetadata('pve2', 'local-lvm', 0.95)
  proxmox.trouble.useSwap('pve2', GiB)
  talos.silenceAgent(uuidOf('dev-wk-1'))
  talos.corruptDatagrams(uuidOf('dev-wk-1'), 500)
  talos.slowEtcd(uuidOf('dev-cp-2'), 1500)
  talos.etcdAlarm(uuidOf('dev-cp-3'), 'nospace')
  const all = await examined()
  const [pool] = all.hosts[1]?.thinPools.seen === true ? all.hosts[1].thinPools.value : []
  expect((pool?.metadataUsed ?? 0) / (pool?.metadataSize ?? 1)).toBeCloseTo(0.95)
  expect(all.hosts[1]?.status).toMatchObject({ value: { swap: { used: GiB } } })
  expect(all.agents.find(({ name }) => name === 'dev-wk-1')?.answers).toEqual({ seen: true, value: false })
  const seen = new Map(all.machines.map((machine) => [machine.name, machine]))
  expect(seen.get('dev-wk-1')?.udp).toMatchObject({ value: { checksumErrors: 500 } })
  expect(seen.get('dev-cp-2')?.controlPlane?.slowWrites).toEqual({ seen: true, value: [1500] })
  expect(await alarms()).toMatchObject({ value: [{ alarm: 'nospace' }] })
})

test('a node that hangs is not seen, and hides nothing else', async () => {
  stage.lab.faults.add({
    match: { surface: 'talos', path: '/ServiceList$' },
    action: { kind: 'status', status: 500, message: 'no' },
    times: Number.POSITIVE_INFINITY,
  })
  const all = await examined()
  expect(all.machines.every(({ services, disks }) => !services.seen && disks.seen)).toBe(true)
})
