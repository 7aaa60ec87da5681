import type { LedgerEntry } from './core/ledger.js'
import { buildMs } from './factory/factory-model.js'
import { copyTime, downloadTime, taskTime } from './proxmox/durations.js'
import type { DatacenterState } from './proxmox/state.js'
import { durations } from './talos/machine/durations.js'

/**
 * The minimum model milliseconds for the lab's cluster, with an infinitely fast client and no full lanes: the factory
 * builds the image and a host downloads it while the VM is claimed; the first control plane is filled, grown, started
 * and boots until it can be bootstrapped; from then on no client is needed until the last API is served.
 */
export function criticalPath(ledger: readonly LedgerEntry[], state: DatacenterState): number {
  const bootstrapped = getEvent(ledger, 'etcd.bootstrapped')
  const first = bootstrapped.subject
  const opened = getEvent(ledger, 'api.opened', ({ subject }) => subject === first)
  const vmid = String(opened.detail?.vmid)
  const started = getEvent(ledger, 'vm.started', ({ subject }) => subject === vmid)
  const boot = opened.at - started.at + durations.containerRuntime
  return preparation(state, vmid) + boot + growth(controlPlanesIn(ledger))
}

/**
 * From the bootstrap of etcd to the last API: control planes join one at a time, because etcd has one learner at a
 * time. Computed from the lab's durations, so that a slow client does not lengthen the path. Machines poll every
 * `retry` and lose half of it on average each time.
 */
function growth(controlPlanes: number): number {
  const { etcdStart, etcdJoin, etcdSync, staticPods, retry } = durations
  const first = retry / 2 + etcdStart
  const join = retry / 2 + etcdJoin + etcdStart + retry / 2 + etcdSync
  return first + (controlPlanes - 1) * join + retry / 2 + staticPods
}

function controlPlanesIn(ledger: readonly LedgerEntry[]): number {
  return new Set(ledger.filter(({ event }) => event === 'kubernetes.api-served').map(({ subject }) => subject)).size
}

/** From nothing to a started VM. */
function preparation(state: DatacenterState, vmid: string): number {
  const image = imageSize(state)
  const fetched = buildMs + downloadTime(image)
  const fill = taskTime.config + copyTime(storageOf(state, vmid), image)
  return Math.max(fetched, taskTime.create) + fill + taskTime.resize + taskTime.start
}

function storageOf({ vms, storages }: DatacenterState, vmid: string) {
  const disk = vms[vmid]?.config.scsi0 ?? ''
  const found = storages[disk.split(':')[0] ?? '']
  if (found === undefined) throw new Error(`VM ${vmid} has no disk on a storage of the lab`)
  return found
}

/** As the download reported it: the lab's files are small, but represent large ones. */
function imageSize({ tasks }: DatacenterState): number {
  const log = tasks.find(({ type }) => type === 'download')?.log ?? []
  const size = log.map((line) => /^Length: (\d+)/.exec(line)?.[1]).find((found) => found !== undefined)
  if (size === undefined) throw new Error('the lab has fetched no image')
  return Number(size)
}

function getEvent(ledger: readonly LedgerEntry[], event: string, fits = (_: LedgerEntry) => true): LedgerEntry {
  const found = ledger.find((entry) => entry.event === event && fits(entry))
  if (found === undefined) throw new Error(`the lab has no ${event}`)
  return found
}
