import { buildMs } from './factory/factory-model.js'
import type { LedgerEntry } from './ledger.js'
import { copyTime, downloadTime, taskTime } from './proxmox/durations.js'
import type { DatacentreState } from './proxmox/state.js'
import { durations } from './talos/machine/durations.js'

/**
 * Model milliseconds that the lab's cluster needed at the very least, were its client infinitely fast and no lane ever full:
 * the factory builds the image and a host fetches it while the VM is claimed; the first control plane is filled, grown,
 * started and boots until it can be bootstrapped; from then on nobody is needed until the last node is Ready and the last API served.
 */
export function criticalPath(ledger: readonly LedgerEntry[], state: DatacentreState): number {
  const bootstrapped = getEvent(ledger, 'etcd.bootstrapped')
  const first = bootstrapped.subject
  const opened = getEvent(ledger, 'api.opened', ({ subject }) => subject === first)
  const vmid = String(opened.detail?.vmid)
  const started = getEvent(ledger, 'vm.started', ({ subject }) => subject === vmid)
  const last = Math.max(...ledger.filter(isMilestone).map(({ at }) => at))
  const boot = opened.at - started.at + durations.containerRuntime
  return preparation(state, vmid) + boot + (last - bootstrapped.at)
}

/** From nothing to a VM that was switched on. */
function preparation(state: DatacentreState, vmid: string): number {
  const image = imageSize(state)
  const fetched = buildMs + downloadTime(image)
  const fill = taskTime.config + copyTime(storageOf(state, vmid), image)
  return Math.max(fetched, taskTime.create) + fill + taskTime.resize + taskTime.start
}

function storageOf({ vms, storages }: DatacentreState, vmid: string) {
  const disk = vms[vmid]?.config.scsi0 ?? ''
  const found = storages[disk.split(':')[0] ?? '']
  if (found === undefined) throw new Error(`VM ${vmid} has no disk on a storage of the lab`)
  return found
}

/** As the download itself reported it: the lab's files are small, and stand for large ones. */
function imageSize({ tasks }: DatacentreState): number {
  const log = tasks.find(({ type }) => type === 'download')?.log ?? []
  const size = log.map((line) => /^Length: (\d+)/.exec(line)?.[1]).find((found) => found !== undefined)
  if (size === undefined) throw new Error('the lab has fetched no image')
  return Number(size)
}

function isMilestone({ event }: LedgerEntry): boolean {
  return event === 'kubernetes.api-served' || event === 'node.ready' || event === 'etcd.member-promoted'
}

function getEvent(ledger: readonly LedgerEntry[], event: string, fits = (_: LedgerEntry) => true): LedgerEntry {
  const found = ledger.find((entry) => entry.event === event && fits(entry))
  if (found === undefined) throw new Error(`the lab has no ${event}`)
  return found
}
