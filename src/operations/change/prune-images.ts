import { systemClock } from '../../clock.js'
import { takeLease } from '../../ownership/index.js'
import { reportedRun } from '../reported-run.js'
import type { Session } from '../session.js'
import { findImages } from './find-images.js'
import type { StoredImage } from './stored-images.js'

/** Unused templates are deleted by `up`. */
export function isUnused({ kind, used_by }: StoredImage): boolean {
  return kind !== 'template' && used_by.length === 0
}

/**
 * Deletes those that are still unused, with the lease of the cluster: a run that has just started may need one of them.
 * Claims that a killed run may have made stay recorded.
 */
export async function pruneImages(
  shown: readonly StoredImage[],
  session: Session,
  { force, signal }: { readonly force: boolean; readonly signal: AbortSignal },
): Promise<StoredImage[]> {
  const { pool } = session.inventory.settings.proxmox
  const { pools } = session.world.proxmox
  const steps = [{ id: 'delete-images', title: 'delete unused images' }]
  return reportedRun(session, { goal: 'image prune', steps, sinks: [], signal }, async (step, run) => {
    const lease = await takeLease({ pools, clock: systemClock, pool, run, intent: [], signal, force })
    try {
      const unused = await step('delete-images', async (note) => {
        const now = (await findImages(session, signal)).filter(isUnused)
        const still = now.filter(({ volid, host }) => shown.some((one) => one.volid === volid && one.host === host))
        for (const image of still) {
          lease.assertFresh()
          await remove(image, session, signal)
          note(`${image.volid} on ${image.host}`)
        }
        return still
      })
      return { result: unused, outcome: 'done', changed: unused.length }
    } finally {
      await lease.release({ remove: 'nothing' })
    }
  })
}

async function remove({ host, volid }: StoredImage, { world }: Session, signal: AbortSignal): Promise<void> {
  const task = await world.proxmox.storage.removeVolume(host, volid, signal)
  if (task !== undefined) await world.proxmox.tasks.wait(task, signal)
}
