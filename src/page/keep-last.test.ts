import { expect, test } from 'vitest'
import { keepLast } from './keep-last.js'
import type { HostView } from './snapshot.js'
import { aSnapshot } from './testing/snapshots.js'

const later = '2026-11-19T10:01:00.000Z'
const host: HostView = {
  name: 'pve1',
  online: true,
  maintenance: false,
  at: '2026-11-19T10:00:00.000Z',
  proxmox_version: '9.2.3',
  cpus: 8,
  memory: 64,
  memory_used: 32,
  cpu_ratio: 0.1,
  reserve: 0,
  blocks: [],
  storages: [{ name: 'local-lvm', type: 'lvmthin', shared: false, total: 10, used: 5, metadata_share: null }],
}

test('a part that is away keeps its last value with its age, and says why', () => {
  const last = aSnapshot()
  const kept = keepLast(last, aSnapshot({ at: later, etcd: { value: null, at: null, why: 'no member answers' } }))
  expect(kept.etcd).toEqual({ value: last.etcd.value, at: last.at, why: 'no member answers' })
  expect(kept.addons.at).toBe(last.addons.at)
  const api = keepLast(last, aSnapshot({ api: { value: null, at: null, why: 'no API server answers' } })).api
  expect(api).toEqual({ ...last.api, why: 'no API server answers' })
})

test('a part that comes back is new, and one that was never seen stays unknown', () => {
  const away = { value: null, at: null, why: 'no member answers' }
  expect(keepLast(aSnapshot({ etcd: away }), aSnapshot({ etcd: away })).etcd).toEqual(away)
  const back = aSnapshot({ at: later })
  expect(keepLast(aSnapshot({ etcd: away }), back)).toEqual(back)
})

test('a host that went offline keeps its sizes and storages with the time at which they were seen', () => {
  const off = {
    ...host,
    online: false,
    at: null,
    proxmox_version: null,
    cpus: null,
    memory: null,
    memory_used: null,
    cpu_ratio: null,
    storages: [],
  }
  const once = keepLast(aSnapshot({ hosts: [host] }), aSnapshot({ hosts: [off] }))
  const twice = keepLast(once, aSnapshot({ hosts: [off] }))
  expect(twice.hosts).toEqual([{ ...host, online: false }])
})
