import { PlanRefused, UserFacingError } from '../errors.js'
import { leaseHeld } from '../findings/refusals/runs.js'
import type { Holder } from './holder.js'

/** Another run is changing this cluster; nothing was changed. */
export class LeaseHeld extends PlanRefused {
  override readonly code: string = 'lease-held'
  readonly holder: Holder | undefined

  constructor(pool: string, holder: Holder | undefined) {
    const who = holder === undefined ? 'an unknown user' : inWords(holder)
    const problem = `Another run is in progress on this cluster: ${who}.`
    const where = `pool ${pool} in Proxmox`
    const fix =
      'Wait until it has finished. If you are sure that it has ended, run the command again with --force-unlock.'
    const { findings } = leaseHeld.refuse(problem, { subject: { kind: 'object', name: `pool ${pool}` }, where, fix })
    super(problem, { where, fix, findings })
    this.holder = holder
  }
}

/** The lease may be lost, so no further change is made. The next run completes partial work. */
export class LeaseLost extends UserFacingError {
  readonly code: string = 'lease-lost'
  readonly exitCode = 1

  constructor(pool: string, reason: string) {
    super(`This run can no longer make changes: ${reason}.`, {
      where: `pool ${pool} in Proxmox`,
      fix: 'Run the command again: it reads the current state and finishes the work.',
    })
  }
}

function inWords({ user, host, pid, run, since = '' }: Holder): string {
  const at = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):/.exec(since)
  return `${user} on ${host} (pid ${pid}, run ${run})${at === null ? '' : `, since ${at[1]} ${at[2]} UTC`}`
}
