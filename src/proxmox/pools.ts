import { findText, listOf, number, text } from './fields.js'
import type { PoolCalls } from './port.js'
import { unless, unlessItExists, unlessItIsGone } from './tolerance.js'
import type { ProxmoxApi } from './transport/api.js'

/** Through the query, always: pools inside pools have no path of their own. */
export function poolCalls(api: ProxmoxApi): PoolCalls {
  return {
    list: async (signal) =>
      listOf(await api.get('/pools', {}, signal)).map((pool) => ({
        id: text(pool, 'poolid'),
        comment: text(pool, 'comment'),
      })),
    find: async (id, signal) => {
      const [pool] = listOf(await unless('absent', api.get('/pools', { poolid: id }, signal), []))
      if (pool === undefined) return undefined
      const guests = listOf(pool.members).filter((member) => findText(member, 'vmid') !== undefined)
      return { id, comment: text(pool, 'comment'), vmids: guests.map((guest) => number(guest, 'vmid')) }
    },
    create: (id, comment, signal) => unlessItExists(api.post('/pools', { poolid: id, comment }, signal)),
    setComment: async (id, comment, signal) => void (await api.put('/pools', { poolid: id, comment }, signal)),
    addMember: async (id, vmid, signal) => {
      const form = { poolid: id, vms: vmid, 'allow-move': true }
      await unless('exists', api.put('/pools', form, signal), undefined)
    },
    remove: (id, signal) => unlessItIsGone(api.delete('/pools', { poolid: id }, signal)),
  }
}
