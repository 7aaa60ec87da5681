import { randomUUID } from 'node:crypto'
import { systemClock } from '../../clock.js'
import { takeLease } from '../../ownership/index.js'
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
  const lease = await takeLease({ pools, clock: systemClock, pool, run: randomUUID(), intent: [], signal, force })
  try {
    const now = (await findImages(session, signal)).filter(isUnused)
    const unused = now.filter(({ volid, host }) => shown.some((one) => one.volid === volid && one.host === host))
    for (const image of unused) {
      lease.assertFresh()
      await remove(image, session, signal)
    }
    return unused
  } finally {
    await lease.release({ remove: 'nothing' })
  }
}

async function remove({ host, volid }: StoredImage, { world }: Session, signal: AbortSignal): Promise<void> {
  const task = await world.proxmox.storage.removeVolume(host, volid, signal)
  if (task !== undefined) await world.proxmox.tasks.wait(task, signal)
}
