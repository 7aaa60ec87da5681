import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { inventoryOf } from '../../../tests/support/inventories.js'
import { withChanges } from '../../inventory/edit.js'
import { examine } from '../../inventory/examine.js'
import type { Standing } from './choose-leaving.js'
import { parseScale } from './parse-scale.js'
import { scale } from './scale.js'

const well: Standing = {
  exists: true,
  isAway: false,
  isProtected: false,
  isReady: true,
  isCordoned: false,
  volumes: 0,
  isCrowded: false,
  neighbours: 1,
  pods: 1,
  isLeader: false,
}

const base = {
  cluster_name: 'dev',
  proxmox: { target_nodes: ['pve1'], datastore: 'local-lvm' },
  network: { cidr: '10.0.0.0/24', gateway: '10.0.0.1', vip: '10.0.0.5' },
}

/** The effect of a scale on an inventory: the edit, the machines afterwards, and the reasons for those that leave. */
async function scaled(
  data: Readonly<Record<string, unknown>>,
  words: readonly string[],
  standing: Readonly<Record<string, Partial<Standing>>> = {},
) {
  const whole = { ...base, ...data }
  const inventory = await inventoryOf(whole)
  const { changes, leaving } = scale(inventory, parseScale(words, inventory), ({ name }) => ({
    ...well,
    ...standing[name],
  }))
  const cluster = { file: 'cluster.yaml', text: stringify(whole) }
  const after = withChanges({ folder: '/inventory/dev', cluster }, changes)
  const { inventory: next, problems } = await examine(after)
  const addresses = Object.fromEntries((next?.machines ?? []).map(({ name, address }) => [name, address]))
  return { written: parse(after.cluster.text), problems, addresses, leaving, before: inventory.machines }
}

test('up takes the next names; down takes the last where nothing else decides', async () => {
  const up = await scaled({ worker_count: 2 }, ['workers=3', 'control_planes=3'])
  expect(up.written).toMatchObject({ worker_count: 3, control_plane_count: 3 })
  expect(Object.keys(up.addresses)).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1', 'dev-wk-2', 'dev-wk-3'])
  const down = await scaled({ worker_count: 3 }, ['workers=2'])
  expect(down.leaving).toEqual({ 'dev-wk-3': 'workers 3 -> 2; remove dev-wk-3: it is the last one' })
  expect(down.written.retired).toBeUndefined()
})

test.each<{ because: string; standing: Record<string, Partial<Standing>>; goes: string }>([
  { because: 'its VM does not exist', standing: { 'dev-wk-1': { exists: false, isReady: false } }, goes: 'dev-wk-1' },
  { because: 'it is not Ready', standing: { 'dev-wk-2': { isReady: false } }, goes: 'dev-wk-2' },
  { because: 'it is cordoned', standing: { 'dev-wk-1': { isCordoned: true } }, goes: 'dev-wk-1' },
  {
    because: 'it holds the fewest volumes',
    standing: { 'dev-wk-1': { volumes: 2 }, 'dev-wk-3': { volumes: 1 } },
    goes: 'dev-wk-2',
  },
  { because: 'its host is overfull', standing: { 'dev-wk-2': { isCrowded: true } }, goes: 'dev-wk-2' },
  {
    because: 'its host runs the most machines of this group',
    standing: { 'dev-wk-1': { neighbours: 2 }, 'dev-wk-2': { neighbours: 2 } },
    goes: 'dev-wk-2',
  },
  { because: 'it runs the fewest pods', standing: { 'dev-wk-1': { pods: 0 } }, goes: 'dev-wk-1' },
  {
    because: 'it is the last one',
    standing: { 'dev-wk-3': { isProtected: true }, 'dev-wk-1': { isAway: true, isReady: false } },
    goes: 'dev-wk-2',
  },
])('$goes goes because $because; the others keep names and addresses', async ({ because, standing, goes }) => {
  const { leaving, addresses, before } = await scaled({ worker_count: 3 }, ['workers=2'], standing)
  expect(leaving).toEqual({ [goes]: `workers 3 -> 2; remove ${goes}: ${because}` })
  const staying = before.filter(({ name }) => name !== goes)
  expect(addresses).toEqual(Object.fromEntries(staying.map(({ name, address }) => [name, address])))
})

test('a new machine takes the lowest free number, and its retirement is removed', async () => {
  const two = { worker_count: 2, retired: ['dev-wk-2'] }
  expect((await scaled(two, ['workers=3'])).written).toEqual({ ...base, worker_count: 3 })
  const four = await scaled(two, ['workers=4'])
  expect(four.written).toEqual({ ...base, worker_count: 4 })
  const one = await scaled(two, ['workers=1'])
  expect(one.written).toEqual({ ...base, worker_count: 1 })
  expect(Object.keys(one.addresses)).toEqual(['dev-cp-1', 'dev-wk-1'])
  const none = await scaled(two, ['workers=0'])
  expect(none.written).toEqual({ ...base, worker_count: 0 })
})

test('a pool by its name; retired machines of others stay', async () => {
  const pools = { worker_pools: [{ name: 'storage', count: 3, offset: 50 }], worker_count: 1, retired: ['dev-wk-1'] }
  const { written, leaving } = await scaled(pools, ['storage=2'], { 'dev-storage-1': { isReady: false } })
  expect(Object.keys(leaving)).toEqual(['dev-storage-1'])
  expect(written).toMatchObject({ worker_pools: [{ count: 2 }], retired: ['dev-wk-1', 'dev-storage-1'] })
})

test('named machines: any whose successors have addresses of their own; else one behind them', async () => {
  const named = (...ips: (string | undefined)[]) => ({
    workers: ips.map((ip, index) => ({ name: `w${index}`, ...(ip === undefined ? {} : { ip }) })),
  })
  const sick = { w0: { isReady: false } }
  const fixed = await scaled(named('10.0.0.31', '10.0.0.32', '10.0.0.33'), ['workers=2'], sick)
  expect(fixed.written.workers).toEqual([
    { name: 'w1', ip: '10.0.0.32' },
    { name: 'w2', ip: '10.0.0.33' },
  ])
  expect(fixed.written.worker_count).toBeUndefined()
  const floating = await scaled(named('10.0.0.31', undefined, '10.0.0.33'), ['workers=2'], sick)
  expect(Object.keys(floating.leaving)).toEqual(['w2'])
  const counted = await scaled({ ...named('10.0.0.31'), worker_count: 3 }, ['workers=2'], sick)
  expect(counted.written).toMatchObject({ worker_count: 2, workers: [{ name: 'w0' }] })
  const more = await scaled(named('10.0.0.31'), ['workers=2'])
  expect(Object.keys(more.addresses)).toEqual(['dev-cp-1', 'w0', 'dev-wk-2'])
})

test('control planes: not the one that leads etcd, and not the one that is the endpoint', async () => {
  const leads = { 'dev-cp-5': { isLeader: true } }
  const five = await scaled({ control_plane_count: 5 }, ['control_planes=3'], leads)
  expect(Object.keys(five.leaving)).toEqual(['dev-cp-4', 'dev-cp-3'])
  const { vip: _, ...network } = base.network
  const sick = { 'dev-cp-1': { isReady: false } }
  const first = await scaled({ control_plane_count: 3, network }, ['control_planes=1'], sick)
  expect(Object.keys(first.leaving)).toEqual(['dev-cp-3', 'dev-cp-2'])
})

test.each([
  [['control_planes=2'], 'etcd needs an odd number of members: 2 control planes tolerate no more failures than 1.'],
  [['control_planes=0'], 'A cluster has at least one control plane.'],
  [['workers'], '"workers" is not a group and its size.'],
  [['worker=2'], 'There are no machines called worker.'],
  [['workers=2', 'workers=3'], 'workers is given twice.'],
])('%j is refused: %s', async (words, message) => {
  await expect(scaled({ worker_count: 1 }, words)).rejects.toThrow(message)
})
