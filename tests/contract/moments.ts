import type { Exchange } from './recording.js'

/** Model milliseconds after its answer at which a worker died, where what it left reports that; else half a second. */
export const deaths: Readonly<Record<string, number>> = {
  '3d killed qmdestroy (some disks removed): DELETE': 323,
  '3e killed imgcopy: upload of a 1.6 GB ISO': 30,
  '3e2 killed imgcopy while the checksum is computed: upload': 60,
  '3h worker and its copy process killed together (as in a power loss), qmcreate: create': 500,
  '3h2 worker and its cp killed together, imgcopy: upload': 200,
  '3i killed qmcreate of a VM without disks (killed as soon as the UPID was known), try 0: create': 500,
  '3i killed qmcreate of a VM without disks (killed as soon as the UPID was known), try 1: create': 110,
  '3i killed qmcreate of a VM without disks (killed as soon as the UPID was known), try 2: create': 0,
  '7 long create by lease@pve!tk (no Sys.Audit)': 500,
}

/** Model milliseconds that the recorder waited before it looked at something that takes its time, and longer in the lab. */
export const pauses: Readonly<Record<string, number>> = {
  '3d2 killed qmdestroy (disks gone, config not yet) - before the kill: config': 1200,
  '3e killed imgcopy - before the kill: content': 130,
  '3j killed qmcreate after the config was written, before the pool entry - before the kill: config, token with rights on /': 200,
  'long task: shutdown timeout=60': 1500,
}

/** Whether another process held the lock of users, rights and pools then, as notes and titles say. */
export function isUserConfigHeld({ title, note }: Exchange): boolean {
  return (
    /lock of the user configuration was held/.test(note ?? '') ||
    /^3(d2|j) .* before the kill/.test(title) ||
    /^3j2 .*(: create|- task status)$/.test(title)
  )
}

/** The recordings say in a note or in the title whose worker was killed. */
export function isKilledLater({ note, title }: Exchange): boolean {
  return /killed with SIGKILL|it was killed there/.test(note ?? '') || deaths[title] !== undefined
}

/** Whether an exchange came after the death that the one before it reported of. */
export function isAfterKill(title: string): boolean {
  return title.startsWith('7 ') ? title.startsWith('7 after a kill') : !/before the kill/.test(title)
}

/** These looked at a task when it had ended. */
export function isAfterTheEnd(title: string): boolean {
  return / - final task status$| - task log$|(ran to its end\)|stays held) - task status$/.test(title)
}

/** Orders in which changes handled their options, by VM, as logs and read-backs show: the original walks a hash. */
const optionOrders: Readonly<Record<number, readonly string[]>> = {
  201: ['scsi0', 'efidisk0'],
  202: ['scsi0', 'efidisk0', 'boot'],
  224: ['scsi0'],
  ...Object.fromEntries([260, 261, 262, 264].map((vmid) => [vmid, ['ide2', 'boot']])),
  ...Object.fromEntries([263, 265, 266, 267].map((vmid) => [vmid, ['boot', 'ide2']])),
  270: ['boot', 'virtio1', 'sata0', 'scsi0'],
}

/** What is known comes first, in its order. */
export function recordedOrder(vmid: number, keys: readonly string[]): readonly string[] {
  const known = optionOrders[vmid] ?? []
  const place = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length)
  return [...keys].sort((a, b) => place(a) - place(b))
}
