import type { Complaint } from '../complaint.js'
import { formatPath, type Path } from '../path.js'
import type { CheckInput } from './check.js'

/** Names of machines, guests and pools: unique, not too long, and every reference must exist. */
export function* checkNames(input: CheckInput): Iterable<Complaint> {
  yield* machineNames(input)
  yield* poolNames(input)
  yield* referredNames(input)
}

function* machineNames({ settings, drafts }: CheckInput): Iterable<Complaint> {
  const seen = new Map<string, Path>()
  const named = [
    ...drafts.map(({ machine, path, isNamed }) => ({ name: machine.name, path, isNamed })),
    ...settings.guests.map(({ name }, index) => ({ name, path: ['guests', index], isNamed: true })),
  ]
  for (const { name, path, isNamed } of named) {
    const place = isNamed ? [...path, 'name'] : path
    const other = seen.get(name)
    if (other === undefined) seen.set(name, place)
    else
      yield {
        path: place,
        related: [other],
        message: `The name ${name} is already used by ${formatPath(other)}.`,
        fix: 'Give each machine and guest a unique name.',
      }
    if (name.length > 63)
      yield {
        path: place,
        message: `The name ${name} has ${name.length} characters, and DNS allows 63.`,
        fix: 'Shorten cluster_name or the name of the pool.',
      }
  }
}

function* poolNames({ settings }: CheckInput): Iterable<Complaint> {
  const seen = new Set(['controlplane', 'workers', 'cp', 'wk'])
  for (const [index, { name }] of settings.worker_pools.entries()) {
    if (seen.has(name)) {
      yield {
        path: ['worker_pools', index, 'name'],
        message: `The pool name ${name} is already taken.`,
        fix: 'Give each pool a unique name; controlplane, workers, cp and wk are reserved.',
      }
    }
    seen.add(name)
  }
}

function* referredNames({ settings, drafts }: CheckInput): Iterable<Complaint> {
  const machines = new Set(drafts.map(({ machine }) => machine.name))
  const pools = new Set(settings.worker_pools.map(({ name }) => name))
  const allNames: Path[] = [
    ['controlplane'],
    ['workers'],
    ['worker_pools'],
    ['control_plane_count'],
    ['worker_count'],
    ['cluster_name'],
  ]
  for (const [index, { pool }] of settings.workers.entries()) {
    if (pool === undefined || pools.has(pool)) continue
    yield {
      path: ['workers', index, 'pool'],
      related: [['worker_pools']],
      message: `There is no worker pool ${pool}.`,
      fix: `Add it to worker_pools, or leave pool out.`,
    }
  }
  for (const name of Object.keys(settings.placement.pinned)) {
    if (machines.has(name)) continue
    yield {
      path: ['placement', 'pinned', name],
      at: 'key',
      related: allNames,
      message: `There is no machine ${name} to pin.`,
      fix: 'Write the name of a machine of this inventory.',
    }
  }
  for (const [index, name] of Array.isArray(settings.protect) ? settings.protect.entries() : []) {
    if (machines.has(name) || pools.has(name) || ['control_plane', 'workers'].includes(name)) continue
    yield {
      path: ['protect', index],
      related: allNames,
      message: `There is no machine or worker pool ${name} to protect.`,
      fix: 'Write the name of a machine or of a worker pool of this inventory, workers, or control_plane.',
    }
  }
}
