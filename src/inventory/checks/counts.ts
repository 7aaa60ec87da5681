import type { Complaint } from '../complaint.js'
import type { Path } from '../path.js'
import type { CheckInput } from './check.js'

const odd = 'etcd needs an odd number of members'

/** The number of machines of each kind: enough for quorum, and not fewer than are named. */
export function* checkCounts({ settings, groups, has }: CheckInput): Iterable<Complaint> {
  for (const { count, countPath, nodes, pool } of groups) {
    if (count >= nodes.length) continue
    yield {
      path: countPath,
      message: `${nodes.length} machines of ${pool} are named, but the count is ${count}.`,
      fix: `Write ${nodes.length} or more, or leave the count out.`,
    }
  }
  const key = has(['control_plane_count']) ? 'control_plane_count' : settings.ha_enabled ? 'ha_enabled' : 'controlplane'
  yield* controlPlaneCount(settings.control_plane_count, settings.ha_enabled, [key])
  yield* paces(settings)
}

function* controlPlaneCount(count: number, isHighlyAvailable: boolean, path: Path): Iterable<Complaint> {
  const place = { path, related: [['controlplane'], ['ha_enabled']] }
  if (isHighlyAvailable && (count < 3 || count % 2 === 0)) {
    yield {
      ...place,
      message: `ha_enabled requires that the cluster survives the loss of a control plane, but ${count === 1 ? 'a single one' : count} cannot: ${odd}, three at least.`,
      fix: 'Write 3 or 5, or remove ha_enabled.',
    }
  } else if (count % 2 === 0) {
    yield {
      ...place,
      severity: 'warning',
      message: `${count} control planes tolerate no more failures than ${count - 1}: ${odd}.`,
      fix: `Write ${count - 1} or ${count + 1}.`,
    }
  }
}

/** How many machines of a pool may change at once. */
function* paces({ worker_pools }: CheckInput['settings']): Iterable<Complaint> {
  for (const [index, { max_unavailable }] of worker_pools.entries()) {
    if (isNothing(max_unavailable)) {
      yield {
        path: ['worker_pools', index, 'max_unavailable'],
        message: 'If no machine of the pool may be unavailable, none can be restarted.',
        fix: 'Write 1 or more.',
      }
    }
  }
}

function isNothing(share: number | string): boolean {
  return share === 0 || share === '0%'
}
