import { nameOf } from './access/permissions.js'
import { badParameters, forbidden } from './api-error.js'
import { PlainBody } from './http/answer.js'
import { type Call, find, flag, may, type Routes, text } from './http/call.js'
import { splitList } from './schema/formats.js'
import type { TaskState } from './state.js'

const upidPattern =
  /^UPID:[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:[^:\s/]+:[^:\s/]*:[^:\s/]+:$/

function isOwner({ identity }: Call, { user }: TaskState): boolean {
  return user === nameOf(identity) || (identity.token === undefined && user.split('!')[0] === identity.user)
}

/** The task of a call; tasks of other users need a right on the host. */
function taskOf(call: Call, privilege: string): TaskState | undefined {
  const upid = text(call, 'upid')
  if (!upidPattern.test(upid)) throw badParameters({ upid: 'unable to parse worker upid' })
  const task = call.datacenter.tasks.find(upid)
  const owner = upid.split(':')[7] ?? ''
  const isOwn = task === undefined ? owner === nameOf(call.identity) : isOwner(call, task)
  if (!isOwn && !may(call, `/nodes/${call.host}`, [privilege])) throw forbidden(`/nodes/${call.host}, ${privilege}`)
  return task
}

function describe({ upid, host, pid, pstart, starttime, type, id, user }: TaskState): Record<string, unknown> {
  const [name = '', tokenid] = user.split('!')
  return {
    upid,
    node: host,
    pid,
    pstart,
    starttime,
    type,
    id,
    user: name,
    ...(tokenid === undefined ? {} : { tokenid }),
  }
}

function status(call: Call): unknown {
  const task = taskOf(call, 'Sys.Audit')
  if (task === undefined) throw badParameters({ upid: 'no such task' })
  return {
    ...describe(task),
    status: task.status,
    ...(task.exitstatus === undefined ? {} : { exitstatus: task.exitstatus }),
  }
}

function log(call: Call): unknown {
  const task = taskOf(call, 'Sys.Audit')
  if (task === undefined) {
    call.extra.total = 1
    const line = { n: 1, t: 'unable to open file - No such file or directory' }
    return call.datacenter.pve === 8 ? line : [line]
  }
  const start = Number(find(call, 'start') ?? 0)
  const limit = Number(find(call, 'limit') ?? 50)
  const lines = task.log.length === 0 ? ['no content'] : task.log
  if (flag(call, 'download')) return new PlainBody(`${task.log.join('\n')}\n`)
  call.extra.total = lines.length
  const shown = limit === 0 ? lines.slice(start) : lines.slice(start, start + limit)
  return shown.map((line, i) => ({ n: start + i + 1, t: line }))
}

async function stop(call: Call): Promise<null> {
  const task = taskOf(call, 'Sys.Modify')
  if (task === undefined) throw badParameters({ upid: 'no such task' })
  if (task.status === 'running') await call.datacenter.tasks.stop(task.upid)
  return null
}

function outcome({ exitstatus = '' }: TaskState): string {
  if (exitstatus === 'OK') return 'ok'
  if (exitstatus.startsWith('WARNINGS')) return 'warning'
  return exitstatus === 'unexpected status' ? 'unknown' : 'error'
}

function list(call: Call): unknown[] {
  const { datacenter, host } = call
  const source = find(call, 'source') ?? 'archive'
  const maySeeAll = may(call, `/nodes/${host}`, ['Sys.Audit'])
  const filters = {
    vmid: find(call, 'vmid'),
    type: find(call, 'typefilter'),
    user: find(call, 'userfilter'),
    since: find(call, 'since'),
    until: find(call, 'until'),
    status: splitList(find(call, 'statusfilter') ?? ''),
  }
  const found = datacenter.state.tasks
    .filter((task) => task.host === host && (maySeeAll || isOwner(call, task)))
    .filter(
      ({ status: state }) => source === 'all' || (source === 'active' ? state === 'running' : state === 'stopped'),
    )
    .filter((task) => filters.vmid === undefined || task.id === filters.vmid)
    .filter((task) => filters.type === undefined || task.type === filters.type)
    .filter((task) => filters.user === undefined || task.user.toLowerCase().includes(filters.user.toLowerCase()))
    .filter((task) => filters.since === undefined || task.starttime >= Number(filters.since))
    .filter((task) => filters.until === undefined || task.starttime <= Number(filters.until))
    .filter(
      (task) => !flag(call, 'errors') || (task.status === 'stopped' && !['ok', 'warning'].includes(outcome(task))),
    )
    .filter(
      (task) => filters.status.length === 0 || (task.status === 'stopped' && filters.status.includes(outcome(task))),
    )
    .reverse()
  if (found.length > 0) call.extra.total = found.length
  const start = Number(find(call, 'start') ?? 0)
  return found.slice(start, start + Number(find(call, 'limit') ?? 50)).map(listed)
}

function listed(task: TaskState): Record<string, unknown> {
  if (task.status === 'stopped') return { ...describe(task), endtime: task.endtime, status: task.exitstatus ?? '' }
  const { tokenid: _token, ...rest } = describe(task)
  return { ...rest, user: task.user, status: 'RUNNING', saved: '0' }
}

/** The newest tasks of all hosts. A token without the right to all of them does not even see its own. */
function ofCluster(call: Call): unknown[] {
  const maySeeAll = may(call, '/', ['Sys.Audit'])
  const own = (task: TaskState) => call.identity.token === undefined && task.user.split('!')[0] === call.identity.user
  const tasks = call.datacenter.state.tasks.filter((task) => maySeeAll || own(task))
  return tasks
    .slice(-25 * Object.keys(call.datacenter.state.hosts).length)
    .reverse()
    .map((task) => {
      const { pid: _pid, pstart: _pstart, ...rest } = describe(task)
      return task.status === 'running'
        ? { ...rest, pid: task.pid }
        : { ...rest, endtime: task.endtime, status: task.exitstatus, saved: '1' }
    })
}

const base = '/nodes/{node}/tasks'

export const taskRoutes: Routes = {
  [`GET ${base}`]: list,
  [`GET ${base}/{upid}`]: () => [{ name: 'log' }, { name: 'status' }],
  [`GET ${base}/{upid}/status`]: status,
  [`GET ${base}/{upid}/log`]: log,
  [`DELETE ${base}/{upid}`]: stop,
  'GET /cluster/tasks': ofCluster,
}
