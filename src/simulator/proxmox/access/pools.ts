import { died } from '../api-error.js'
import { vmResource } from '../cluster/resources.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, flag, may, must, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { PoolState } from '../state.js'
import { storageStatus } from '../storage/status.js'
import { findStorage } from '../storage/storages.js'

function refuseWithoutQuorum({ state }: Datacenter): void {
  if (!state.quorate) throw died("cfs-lock 'file-user_cfg' error: no quorum!")
}

function getPool({ state }: Datacenter, poolid: string, prefix: string): PoolState {
  const pool = state.pools[poolid]
  if (pool === undefined) throw died(`${prefix}pool '${poolid}' does not exist`)
  return pool
}

function members(call: Call, pool: PoolState): unknown[] {
  const { datacenter } = call
  const wanted = find(call, 'type')
  const vms = pool.vms.flatMap((vmid) => {
    const vm = datacenter.state.vms[String(vmid)]
    if (vm === undefined) return []
    const { pool: _pool, tags: _tags, lock: _lock, ...shown } = vmResource(datacenter, vm)
    return [shown]
  })
  const storages = pool.storages.flatMap((id) => {
    const storage = findStorage(datacenter, id)
    if (storage === undefined) return []
    const { type, content, shared, total, used } = storageStatus(datacenter, storage, call.entry)
    return [
      {
        id: `storage/${call.entry}/${id}`,
        node: call.entry,
        storage: id,
        type: 'storage',
        plugintype: type,
        content,
        shared,
        status: 'available',
        disk: used,
        maxdisk: total,
      },
    ]
  })
  return [...(wanted === 'storage' ? [] : vms), ...(wanted === undefined || wanted === 'storage' ? storages : [])]
}

function show({ poolid, comment }: PoolState): Record<string, unknown> {
  return { poolid, ...(comment === undefined ? {} : { comment }) }
}

/** With a pool's name one entry with its members, for everyone; otherwise the pools that the caller may see. */
function list(call: Call): unknown[] {
  const { state } = call.datacenter
  const poolid = find(call, 'poolid')
  if (poolid !== undefined)
    return [
      { ...show(getPool(call.datacenter, poolid, '')), members: members(call, getPool(call.datacenter, poolid, '')) },
    ]
  return Object.values(state.pools)
    .filter((pool) => may(call, `/pool/${pool.poolid}`, ['Pool.Audit']))
    .map(show)
}

function read(call: Call): unknown {
  const pool = getPool(call.datacenter, text(call, 'poolid'), '')
  const { poolid, comment } = pool
  return { poolid, ...(comment === undefined ? {} : { comment }), members: members(call, pool) }
}

function create(call: Call): null {
  const { datacenter } = call
  const poolid = text(call, 'poolid')
  refuseWithoutQuorum(datacenter)
  const { pools } = datacenter.state
  if (pools[poolid] !== undefined) throw died(`create pool failed: pool '${poolid}' already exists`)
  const parent = poolid.includes('/') ? poolid.slice(0, poolid.lastIndexOf('/')) : undefined
  if (parent !== undefined && pools[parent] === undefined)
    throw died(`create pool failed: parent '${parent}' of pool '${poolid}' does not exist`)
  const comment = find(call, 'comment')
  refuseLargeFile(datacenter, comment ?? '')
  pools[poolid] = { poolid, vms: [], storages: [], ...(comment === undefined || comment === '' ? {} : { comment }) }
  return null
}

const largestFile = 1024 ** 2

/** All pools, users and rights share one file, whose size the cluster file system limits. */
function refuseLargeFile({ state }: Datacenter, comment: string): void {
  const size = Object.values(state.pools).reduce((sum, pool) => sum + (pool.comment?.length ?? 0) + 50, comment.length)
  if (size > largestFile) throw died("create pool failed: unable to write '/etc/pve/user.cfg.tmp.113' - File too large")
}

function update(call: Call): null {
  const { datacenter } = call
  refuseWithoutQuorum(datacenter)
  const pool = getPool(datacenter, text(call, 'poolid'), 'update pools failed: ')
  const comment = find(call, 'comment')
  const isRemoval = flag(call, 'delete')
  for (const vmid of splitList(find(call, 'vms') ?? '')) changeVm(call, pool, Number(vmid), isRemoval)
  for (const id of splitList(find(call, 'storage') ?? '')) changeStorage(call, pool, id, isRemoval)
  if (comment !== undefined) {
    if (comment === '') delete pool.comment
    else pool.comment = comment
  }
  return null
}

function changeVm(call: Call, pool: PoolState, vmid: number, isRemoval: boolean): void {
  const { state } = call.datacenter
  if (!may(call, `/vms/${vmid}`, ['Permissions.Modify', 'VM.Allocate'], true))
    throw died(`update pools failed: 403 Permission check failed (/vms/${vmid}, Permissions.Modify|VM.Allocate)`)
  if (isRemoval) {
    if (!pool.vms.includes(vmid)) throw died(`update pools failed: VM ${vmid} is not a pool member`)
    pool.vms = pool.vms.filter((member) => member !== vmid)
    return
  }
  const current = Object.values(state.pools).find((other) => other.vms.includes(vmid))
  if (current === pool) throw died(`update pools failed: VM ${vmid} is already a pool member`)
  if (current !== undefined) {
    if (!flag(call, 'allow-move'))
      throw died(
        `update pools failed: VM ${vmid} belongs already to pool '${current.poolid}' and 'allow-move' is not set`,
      )
    must(call, `/pool/${current.poolid}`, ['Pool.Allocate'])
    current.vms = current.vms.filter((member) => member !== vmid)
  }
  pool.vms.push(vmid)
}

function changeStorage(call: Call, pool: PoolState, id: string, isRemoval: boolean): void {
  if (!may(call, `/storage/${id}`, ['Permissions.Modify', 'Datastore.Allocate'], true))
    throw died(
      `update pools failed: 403 Permission check failed (/storage/${id}, Permissions.Modify|Datastore.Allocate)`,
    )
  const isMember = pool.storages.includes(id)
  if (isRemoval && !isMember) throw died(`update pools failed: Storage '${id}' is not a pool member`)
  if (!isRemoval && isMember) throw died(`update pools failed: Storage '${id}' is already a pool member`)
  pool.storages = isRemoval ? pool.storages.filter((member) => member !== id) : [...pool.storages, id]
}

function remove(call: Call): null {
  const { datacenter } = call
  refuseWithoutQuorum(datacenter)
  const pool = getPool(datacenter, text(call, 'poolid'), 'delete pool failed: ')
  const { pools } = datacenter.state
  const child = Object.keys(pools).find((poolid) => poolid.startsWith(`${pool.poolid}/`))
  if (child !== undefined)
    throw died(`delete pool failed: pool '${pool.poolid}' is not empty (contains pool '${child}')`)
  const vmid = pool.vms.find((member) => datacenter.state.vms[String(member)] !== undefined)
  if (vmid !== undefined) throw died(`delete pool failed: pool '${pool.poolid}' is not empty (contains VM ${vmid})`)
  const storage = pool.storages.find((member) => findStorage(datacenter, member) !== undefined)
  if (storage !== undefined)
    throw died(`delete pool failed: pool '${pool.poolid}' is not empty (contains storage '${storage}')`)
  delete pools[pool.poolid]
  datacenter.state.access.acl = datacenter.state.access.acl.filter(({ path }) => path !== `/pool/${pool.poolid}`)
  return null
}

export const poolRoutes: Routes = {
  'GET /pools': list,
  'POST /pools': create,
  'PUT /pools': update,
  'DELETE /pools': remove,
  'GET /pools/{poolid}': read,
  'PUT /pools/{poolid}': update,
  'DELETE /pools/{poolid}': remove,
}
