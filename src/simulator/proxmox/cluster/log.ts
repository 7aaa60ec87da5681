import { type Call, find, may, type Routes } from '../http/call.js'
import type { LoginState, TaskState } from '../state.js'

interface Entry {
  readonly node: string
  readonly user: string
  readonly pid: number
  readonly time: number
  /** As syslog counts: 3 for errors, 6 for the rest. */
  readonly pri: 3 | 6
  readonly msg: string
}

/** GET /cluster/log: tasks and logins, newest first. */
function log(call: Call): unknown[] {
  const { tasks, logins = [] } = call.datacenter.state
  const most = Number(find(call, 'max') ?? 50)
  const own = (user: string) => may(call, '/', ['Sys.Syslog']) || user.split('!')[0] === call.identity.user
  return [...tasks.flatMap(entriesOfTask), ...logins.map(entryOfLogin)]
    .sort((a, b) => a.time - b.time)
    .map((entry, i) => ({ ...entry, uid: String(i + 1), id: `${i + 1}:${entry.node}`, tag: 'pvedaemon' }))
    .filter(({ user }) => own(user))
    .slice(-most)
    .reverse()
}

function entriesOfTask({ host, user, starttime, endtime, exitstatus = '', upid, pid }: TaskState): Entry[] {
  const entry = { node: host, user, pid }
  const begun: Entry = { ...entry, time: starttime, pri: 6, msg: `starting task ${upid}` }
  if (endtime === undefined) return [begun]
  return [begun, { ...entry, time: endtime, pri: exitstatus === 'OK' ? 6 : 3, msg: `end task ${upid} ${exitstatus}` }]
}

/** The daemon reports it under its own name. */
function entryOfLogin({ user, host, time }: LoginState): Entry {
  return { node: host, user: 'root@pam', pid: 1000, time, pri: 6, msg: `successful auth for user '${user}'` }
}

export const logRoutes: Routes = { 'GET /cluster/log': log }
