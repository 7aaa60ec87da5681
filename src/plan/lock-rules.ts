import type { Finding } from '../findings/finding.js'
import { staleLock } from '../findings/notes/machines.js'
import { lockedVm } from '../findings/refusals/proxmox.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import type { PlannedStep } from './plan.js'

/** Locks of operations that end without help. If killed, they leave the lock behind, and only root can remove it. */
const works: Readonly<Record<string, string>> = {
  migrate: 'migration',
  backup: 'backup',
  snapshot: 'snapshot',
  'snapshot-delete': 'deletion of a snapshot',
  rollback: 'rollback',
}

/** Finds a locked VM before the first change, not after its node was drained. */
export function refuseLocked(steps: readonly PlannedStep[], observed: Observed): readonly PlannedStep[] {
  const names = new Set(steps.flatMap(({ writesVm, machine }) => (writesVm ? (machine ?? []) : [])))
  const locked = observed.machines.filter(({ name, lock }) => names.has(name) && works[lock ?? ''] !== undefined)
  if (locked.length === 0) return steps
  throw lockedVm.refuse(locked.map(sentence).join('\n'), {
    subject: { kind: 'machine', name: locked.map(({ name }) => name).join(', ') },
    where: locked.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; '),
    fix: `Wait while such a task runs in Proxmox. If none does, run ${locked.map(unlock).join(' and ')}; then run the same command again.`,
  })
}

/** Running migrations finish before the plan is made, so any remaining lock is stale. */
export function lockNotes({ machines }: Observed): Finding[] {
  return machines
    .filter(({ lock }) => lock === 'migrate')
    .map((machine) =>
      staleLock.note(sentence(machine), {
        subject: { kind: 'machine', name: machine.name },
        cure: `If none runs in Proxmox, run ${unlock(machine)}.`,
      }),
    )
}

function sentence({ name, vmid, lock = '' }: ObservedMachine): string {
  return `${name} (VM ${vmid}) is locked by a ${works[lock]} that still runs or was killed: it cannot be changed, nor started.`
}

function unlock({ host, vmid }: ObservedMachine): string {
  return `"qm unlock ${vmid}" as root on ${host}`
}
