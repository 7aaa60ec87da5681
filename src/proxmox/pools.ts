import { findText, listOf, number, text } from './fields.js'
import type { PoolCalls } from './port.js'
import { isProxmoxError } from './proxmox-error.js'
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
      try {
        const [pool] = listOf(await api.get('/pools', { poolid: id }, signal))
        if (pool === undefined) return undefined
        const guests = listOf(pool.members).filter((member) => findText(member, 'vmid') !== undefined)
        return { id, comment: text(pool, 'comment'), vmids: guests.map((guest) => number(guest, 'vmid')) }
      } catch (thrown) {
        if (isProxmoxError(thrown, 'absent')) return undefined
        throw thrown
      }
    },
    create: async (id, comment, signal) => {
      try {
        await api.post('/pools', { poolid: id, comment }, signal)
        return true
      } catch (thrown) {
        if (isProxmoxError(thrown, 'exists')) return false
        throw thrown
      }
    },
    setComment: async (id, comment, signal) => void (await api.put('/pools', { poolid: id, comment }, signal)),
    addMember: async (id, vmid, signal) => {
      try {
        await api.put('/pools', { poolid: id, vms: vmid, 'allow-move': true }, signal)
      } catch (thrown) {
        if (!isProxmoxError(thrown, 'exists')) throw thrown
      }
    },
    remove: async (id, signal) => {
      try {
        await api.delete('/pools', { poolid: id }, signal)
      } catch (thrown) {
        if (!isProxmoxError(thrown, 'absent')) throw thrown
      }
    },
  }
}
