import { GiB, MiB } from '../../cluster/machine.js'
import type { Complaint } from '../complaint.js'
import type { Draft } from '../machines.js'
import type { Path } from '../path.js'
import type { CheckInput } from './check.js'

/** The minimum memory with which Talos starts, less what the firmware reserves. */
const minMemory = { controlplane: (1848 - 150) * MiB, worker: (1024 - 150) * MiB }
const advisedMemory = { controlplane: '2GiB', worker: '1GiB' }
const advisedDisk = 10 * GiB

/** Machines must be large enough to run Talos. Each size is checked once, however many machines have it. */
export function* checkSizes({ drafts, has }: CheckInput): Iterable<Complaint> {
  const judged = new Set<string>()
  for (const draft of drafts) {
    const { role, memory, disk } = draft.machine
    for (const [key, isShort] of [
      ['ram', memory < minMemory[role]],
      ['disk', disk < advisedDisk],
    ] as const) {
      const path = sizePath(draft, key, has)
      if (!isShort || judged.has(path.join('.'))) continue
      judged.add(path.join('.'))
      yield key === 'ram' ? shortMemory(draft, path) : shortDisk(draft, path)
    }
  }
}

function shortMemory({ machine }: Draft, path: Path): Complaint {
  return {
    path,
    message: `${machine.name} has ${machine.memory / MiB} MiB of memory, and Talos does not start a ${machine.role} with less than ${minMemory[machine.role] / MiB} MiB.`,
    fix: `Write ${advisedMemory[machine.role]} or more. A bare number is MiB.`,
  }
}

function shortDisk({ machine }: Draft, path: Path): Complaint {
  return {
    path,
    severity: 'warning',
    message: `${machine.name} has a system disk of ${machine.disk / GiB} GiB; Talos advises 10 GiB at least.`,
    fix: 'Write 10G or more. A bare number is GiB.',
  }
}

function sizePath({ machine, path, isNamed }: Draft, key: 'ram' | 'disk', has: (path: Path) => boolean): Path {
  if (isNamed && has([...path, key])) return [...path, key]
  const pool = path[0] === 'worker_pools' ? [...path.slice(0, 2), 'sizing', key] : undefined
  if (pool !== undefined && has(pool)) return pool
  return ['sizing', machine.role === 'controlplane' ? 'control_plane' : 'worker', key]
}
