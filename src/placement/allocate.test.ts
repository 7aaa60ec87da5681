import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aGuest, anInventory } from '../../tests/support/inventories.js'
import { allocateVmids, freeVmids } from './allocate.js'

const ids = { vm_ids: { control_plane: '401-410', worker: '501-505' } }

test('a VMID is the start of the range plus the index', async () => {
  const wanted = await anInventory({ controlPlanes: 3, workers: 2, with: ids })
  expect([...allocateVmids(wanted, { guests: [] }).values()]).toEqual([401, 402, 403, 501, 502])
})

test('a taken VMID: the next free one is used, and no other machine loses its own', async () => {
  const wanted = await anInventory({ workers: 3, with: ids })
  const free = { 'dev-cp-1': 402, 'dev-wk-1': 504, 'dev-wk-2': 502, 'dev-wk-3': 503 }
  const guests = [aGuest(501, 'elsewhere'), aGuest(401, 'pve1', { running: false })]
  expect(Object.fromEntries(allocateVmids(wanted, { guests }))).toEqual(free)
  expect(Object.fromEntries(allocateVmids(wanted, { guests: [] }, [401, 501]))).toEqual(free)
})

test('existing machines keep theirs, wherever it lies', async () => {
  const wanted = await anInventory({ workers: 2, with: ids })
  const guests = [
    aGuest(501, 'pve1', { name: 'dev-wk-2', isOurs: true }),
    aGuest(777, 'pve1', { name: 'dev-cp-1', isOurs: true }),
  ]
  expect(Object.fromEntries(allocateVmids(wanted, { guests }))).toEqual({
    'dev-cp-1': 777,
    'dev-wk-2': 501,
    'dev-wk-1': 502,
  })
})

test('a fixed VMID that is taken is refused with the name of its owner', async () => {
  const wanted = await anInventory({ with: { controlplane: [{ name: 'cp-0', vmid: 110 }] } })
  expect(() => allocateVmids(wanted, { guests: [aGuest(110, 'pve2', { name: 'db' })] })).toThrow(
    'VMID 110, which cp-0 is to have, belongs to db on pve2.',
  )
  expect(() => allocateVmids(wanted, { guests: [] }, [110])).toThrow('belongs to a guest that this token does not see')
})

test('a full range is refused with its numbers', async () => {
  const wanted = await anInventory({ workers: 5, with: ids })
  expect(() => allocateVmids(wanted, { guests: [aGuest(503, 'pve1')] })).toThrow(
    'The VMID range 501-505 has no free VMID for dev-wk-3.',
  )
})

test('ids of the templates come in the order of their ranges', () => {
  const ranges = [
    { from: 998, to: 998 },
    { from: 999, to: 999 },
    { from: 900, to: 997 },
  ]
  expect(freeVmids(ranges, 3, [999])).toEqual([998, 900, 901])
})

test('in any situation: no VMID is used twice, and none that is taken', async () => {
  const wanted = await anInventory({
    controlPlanes: 3,
    workers: 20,
    with: { vm_ids: { control_plane: '400-430', worker: '420-500' } },
  })
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 395, max: 460 }), { maxLength: 30 }), (taken) => {
      const given = [...allocateVmids(wanted, { guests: taken.map((vmid) => aGuest(vmid, 'pve1')) }).values()]
      expect(new Set(given).size).toBe(23)
      expect(given.filter((vmid) => taken.includes(vmid))).toEqual([])
    }),
  )
})
