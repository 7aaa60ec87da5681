import { relative } from 'node:path'
import { ifSeen } from '../../cluster/seen.js'
import { labOption } from '../../lab/lab-name.js'
import { inspect } from '../../operations/doctor.js'
import { up } from '../../operations/goals.js'
import { previewRun } from '../../operations/preview.js'
import type { Session } from '../../operations/session.js'
import { findLoad } from '../../operations/status/host-load.js'
import { findMachineMemory } from '../../operations/status/machine-memory.js'
import { statusOf } from '../../operations/status/status.js'
import type { PageCluster } from '../../page/watched-cluster.js'
import { readOnly } from '../../read-only.js'
import { backupFrom } from '../backup/backup-status.js'
import { factsBeside } from '../facts-beside.js'
import { withoutOtherLab } from '../forget-other-lab.js'
import type { Context } from '../frame/context.js'
import { carryOut } from './carry-out.js'
import { reread } from './reread.js'
import { snapshotOf } from './snapshot-of.js'
import { watchView } from './watch-view.js'

/** What the page may ask of the cluster of this session. Looks go through a world that cannot change anything. */
export function pageCluster(
  opened: Session,
  {
    named,
    lab,
    allowChanges,
  }: { readonly named: readonly string[]; readonly lab: boolean; readonly allowChanges: boolean },
  context: Context,
): PageCluster {
  const { inventory } = opened
  const name = inventory.settings.cluster_name
  const current = () => reread(opened, named, context)
  const lookingSession = async () => {
    const session = await current()
    return { ...session, world: readOnly(await withoutOtherLab(session.lab, session)) }
  }
  const path = relative(context.cwd, inventory.folder)
  const base: PageCluster = {
    name,
    options: [...(path === '' ? [] : ['-i', path]), ...(lab ? [labOption(context.env)] : [])].join(' '),
    folder: inventory.folder,
    look: async (signal) => {
      const at = new Date()
      const session = await lookingSession()
      const beside = factsBeside(session, context)
      const [{ facts, examination, verdict }, load] = await Promise.all([
        inspect(session, beside, signal),
        findLoad(session.world, signal),
      ])
      const [memory, watch] = await Promise.all([
        findMachineMemory(facts.observed, session.world, signal),
        watchView(session.inventory, { isLab: lab, env: context.env }),
      ])
      const status = statusOf(facts, verdict)
      return snapshotOf({
        at,
        tookMs: Date.now() - at.getTime(),
        isLab: lab,
        facts,
        examination,
        load,
        memory,
        watch,
        status: { ...status, backup: backupFrom(ifSeen(facts.backup) ?? null) },
      })
    },
    plan: async (signal) => previewRun(await lookingSession(), { goal: up, signal }),
  }
  return allowChanges ? { ...base, carryOut: carryOut(current, context) } : base
}
