import type { Machine } from '../cluster/machine.js'
import type { World } from '../world.js'
import type { ObserveScope } from './observe-scope.js'
import type { HiddenVmid } from './observed.js'

/** A preferred VMID, or else the next free one. */
interface WantedVmid {
  readonly vmid: number
  /** The machine; absent for a template. */
  readonly machine?: string
}

/** After this many taken VMIDs in a row, the user must choose a range. */
const farthest = 100
/** One template per role and host on local storages; a few of their VMIDs may be taken. */
const spareTemplates = 10

/** VMIDs of machines that do not exist yet, and of the templates that they are cloned from. */
export function wantedVmids(question: ObserveScope, missing: readonly Machine[], hosts: number): WantedVmid[] {
  const { machines, vmids, templateIds, isCloned } = question
  const names = new Set(missing.map(({ name }) => name))
  const ofMachines = machines.flatMap(({ name: machine }, index) => {
    const vmid = vmids[index]
    return vmid !== undefined && names.has(machine) ? [{ vmid, machine }] : []
  })
  if (!isCloned || ofMachines.length === 0) return ofMachines
  const most = 2 * hosts + spareTemplates
  const ofTemplates = templateIds.flatMap(({ from, to }) =>
    Array.from({ length: Math.min(to - from + 1, most) }, (_, index) => ({ vmid: from + index })),
  )
  return [...ofMachines, ...ofTemplates.slice(0, most)]
}

/**
 * VMIDs of guests that this token cannot see: a token for one pool sees only that pool. Proxmox reports to every token
 * whether a VMID is free, so the wanted ones are queried, and the following ones if one is taken.
 */
export async function askHiddenVmids(
  wanted: readonly WantedVmid[],
  seen: ReadonlySet<number>,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<HiddenVmid[]> {
  if (wanted.length === 0 || (await seesEverything({ proxmox }, signal))) return []
  const isFree = (vmid: number) => proxmox.cluster.isVmidFree(vmid, signal)
  const unseen = wanted.filter(({ vmid }) => !seen.has(vmid))
  const answers = await Promise.all(unseen.map(async (one) => ({ ...one, isFree: await isFree(one.vmid) })))
  const hidden: HiddenVmid[] = answers.filter((answer) => !answer.isFree).map(({ isFree: _, ...one }) => one)
  const known = new Set([...seen, ...wanted.map(({ vmid }) => vmid)])
  const displaced = [...wanted.filter(({ vmid }) => seen.has(vmid)), ...hidden]
  for (const { vmid: first, machine } of displaced) {
    for (let vmid = first + 1; vmid <= first + farthest; vmid++) {
      if (known.has(vmid)) continue
      known.add(vmid)
      if (await isFree(vmid)) break
      hidden.push({ vmid, ...(machine === undefined ? {} : { machine }) })
    }
  }
  return hidden
}

async function seesEverything({ proxmox }: Pick<World, 'proxmox'>, signal: AbortSignal): Promise<boolean> {
  return (await proxmox.access.privilegesOn('/vms', signal)).get('VM.Audit') === true
}
