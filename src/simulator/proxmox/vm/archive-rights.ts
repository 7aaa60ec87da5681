import { died } from '../api-error.js'
import { type Call, may, must } from '../http/call.js'

/** Who may read a backup: administrators of its storage, or users of the storage that may back up its guest. */
export function refuseForbiddenArchive(call: Call, volid: string, vmid: number | undefined): void {
  const [storage = ''] = volid.split(':')
  if (!/:backup\//.test(volid)) throw died(`unable to use volume ${volid} - content type needs to be 'backup'`)
  if (may(call, `/storage/${storage}`, ['Datastore.Allocate'])) return
  const owner = ownerOf(volid)
  if (owner !== undefined && owner === vmid) return
  if (owner === undefined) throw died(`missing privileges to access ${volid}`)
  must(call, `/storage/${storage}`, ['Datastore.AllocateSpace'])
  must(call, `/vms/${owner}`, ['VM.Backup'])
}

function ownerOf(volid: string): number | undefined {
  const owner = /\/vzdump-qemu-(\d+)-/.exec(volid)?.[1]
  return owner === undefined ? undefined : Number(owner)
}
