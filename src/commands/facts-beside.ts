import { seen, unseen } from '../cluster/seen.js'
import type { Session } from '../operations/session.js'
import type { FactsBeside } from '../operations/status/look.js'
import { backupFacts } from './backup/backup-status.js'
import { certificatesOf } from './certificates.js'
import type { Context } from './frame/context.js'

/** What a diagnosis reads on this computer and in the store of the backups. */
export async function factsBeside({ inventory, world, lab }: Session, context: Context): Promise<FactsBeside> {
  const isLab = lab !== undefined
  const [file, backup] = await Promise.all([world.secrets.find(), backupFacts(inventory, isLab, context)])
  return {
    expiries: certificatesOf(file, inventory, isLab),
    backup: backup === null ? unseen('the store cannot be read') : seen(backup),
  }
}
