import type { Lab, LedgerEntry } from '../../src/simulator/index.js'
import { copyTime, downloadTime, taskTime } from '../../src/simulator/proxmox/durations.js'
import { durations } from '../../src/simulator/talos/machine/durations.js'

/**
 * Model milliseconds that a cluster needs at the very least, from the lab's own durations and its own ledger: its image is
 * fetched while its VM is claimed, the first control plane is filled, grown, started and boots until it can be
 * bootstrapped; from then on the lab needs nobody until the last node is Ready and the last API served.
 */
export function criticalPath(lab: Lab): number {
  const entries = lab.ledger.entries()
  const bootstrapped = getEvent(entries, 'etcd.bootstrapped')
  const first = bootstrapped.subject
  const opened = getEvent(entries, 'api.opened', ({ subject }) => subject === first)
  const vmid = String(opened.detail?.vmid)
  const started = getEvent(entries, 'vm.started', ({ subject }) => subject === vmid)
  const last = Math.max(...entries.filter(isMilestone).map(({ at }) => at))
  const boot = opened.at - started.at + durations.containerRuntime
  return preparation(lab) + boot + (last - bootstrapped.at)
}

/** From nothing to a VM that was switched on. */
function preparation(lab: Lab): number {
  const { state } = lab.save().proxmox
  const disks = state.storages['local-lvm']
  if (disks === undefined) throw new Error('the lab has no storage for disks')
  const image = imageSize(state.tasks)
  const fill = taskTime.config + copyTime(disks, image)
  return Math.max(downloadTime(image), taskTime.create) + fill + taskTime.resize + taskTime.start
}

/** As the lab's own download tells it: its files are small, and stand for large ones. */
function imageSize(tasks: readonly { readonly type: string; readonly log: readonly string[] }[]): number {
  const log = tasks.find(({ type }) => type === 'download')?.log ?? []
  const size = log.map((line) => /^Length: (\d+)/.exec(line)?.[1]).find((found) => found !== undefined)
  if (size === undefined) throw new Error('the lab has fetched no image')
  return Number(size)
}

function isMilestone({ event }: LedgerEntry): boolean {
  return event === 'kubernetes.api-served' || event === 'node.ready' || event === 'etcd.member-promoted'
}

function getEvent(entries: readonly LedgerEntry[], event: string, fits = (_: LedgerEntry) => true): LedgerEntry {
  const found = entries.find((entry) => entry.event === event && fits(entry))
  if (found === undefined) throw new Error(`the lab has no ${event}`)
  return found
}
