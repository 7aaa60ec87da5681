import { findText, listOf, number, text } from './fields.js'
import type { PoolCalls } from './port.js'
import { ignoreError, retryIfUnknown, unlessItExists, unlessItIsGone } from './tolerance.js'
import type { ProxmoxApi } from './transport/api.js'

/** Always through the query: nested pools have no path. */
export function poolCalls(api: ProxmoxApi): PoolCalls {
  const find: PoolCalls['find'] = async (id, signal) => {
    const [pool] = listOf(await ignoreError('absent', api.get('/pools', { poolid: id }, signal), []))
    if (pool === undefined) return undefined
    const guests = listOf(pool.members).filter((member) => findText(member, 'vmid') !== undefined)
    return { id, comment: text(pool, 'comment'), vmids: guests.map((guest) => number(guest, 'vmid')) }
  }
  const add = (id: string, vmid: number, how: { readonly 'allow-move'?: 1 }, signal: AbortSignal) =>
    retryIfUnknown(
      () => api.put('/pools', { poolid: id, vms: String(vmid), ...how }, signal),
      async () => (await find(id, signal))?.vmids.includes(vmid) === true,
    )
  return {
    list: async (signal) =>
      listOf(await api.get('/pools', {}, signal)).map((pool) => ({
        id: text(pool, 'poolid'),
        comment: text(pool, 'comment'),
      })),
    find,
    create: (id, comment, signal) => unlessItExists(api.post('/pools', { poolid: id, comment }, signal)),
    setComment: (id, comment, signal) =>
      retryIfUnknown(
        () => api.put('/pools', { poolid: id, comment }, signal),
        async () => (await find(id, signal))?.comment === comment,
      ),
    addVm: (id, vmid, signal) => add(id, vmid, {}, signal),
    moveVm: (id, vmid, signal) => add(id, vmid, { 'allow-move': 1 }, signal),
    removeVm: (id, vmid, signal) =>
      retryIfUnknown(
        () => api.put('/pools', { poolid: id, vms: String(vmid), delete: 1 }, signal),
        async () => (await find(id, signal))?.vmids.includes(vmid) !== true,
      ),
    remove: (id, signal) =>
      retryIfUnknown(
        () => unlessItIsGone(api.delete('/pools', { poolid: id }, signal)),
        async () => (await find(id, signal)) === undefined,
      ),
  }
}
