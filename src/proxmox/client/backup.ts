import { type Fields, fieldsOf, findText, flag, listOf, text, words } from './fields.js'
import type { BackupCalls, BackupJob } from './port.js'
import { unlessItIsGone } from './tolerance.js'
import type { ProxmoxApi } from './transport/api.js'
import type { Form } from './transport/form.js'

export function backupCalls(api: ProxmoxApi): BackupCalls {
  const jobs = async (signal: AbortSignal) => listOf(await api.get('/cluster/backup', {}, signal)).map(readJob)
  return {
    jobs,
    setJob: async (job, signal) => {
      const current = (await jobs(signal)).find(({ id }) => id === job.id)
      if (current === undefined) await api.post('/cluster/backup', { id: job.id, ...formOf(job) }, signal)
      else await api.put(`/cluster/backup/${job.id}`, { ...formOf(job), delete: oldSelection(current, job) }, signal)
    },
    removeJob: (id, signal) => unlessItIsGone(api.delete(`/cluster/backup/${id}`, {}, signal)),
  }
}

function formOf({ schedule, storage, enabled, what, settings }: BackupJob): Form {
  const selection = 'pool' in what ? { pool: what.pool } : { vmid: what.vmids.join(',') }
  return { ...settings, schedule, storage, enabled, ...selection }
}

/** A job backs up VMs or a pool: the old selection must be removed when the other kind is set. */
function oldSelection(current: BackupJob, wanted: BackupJob): string | undefined {
  if ('pool' in current.what === 'pool' in wanted.what) return undefined
  return 'pool' in current.what ? 'pool' : 'vmid'
}

/** What Proxmox adds for display is not a setting. */
const shownOnly = ['id', 'type', 'schedule', 'storage', 'enabled', 'vmid', 'pool', 'next-run', 'digest']

function readJob(entry: Fields): BackupJob {
  const pool = findText(entry, 'pool')
  const settings = Object.entries(entry).filter(([key]) => !shownOnly.includes(key))
  return {
    id: text(entry, 'id'),
    schedule: text(entry, 'schedule'),
    storage: text(entry, 'storage'),
    enabled: entry.enabled === undefined || flag(entry, 'enabled'),
    what: pool === undefined ? { vmids: words(entry, 'vmid').map(Number) } : { pool },
    settings: Object.fromEntries(settings.map(([key, value]) => [key, settingText(value)])),
  }
}

/** `prune-backups`, `fleecing` and `performance` are written as property strings and read as objects, in any order. */
function settingText(value: unknown): string {
  const options = Object.entries(fieldsOf(value)).map(([key, option]) => `${key}=${option}`)
  return options.length === 0 ? String(value) : options.sort().join(',')
}
