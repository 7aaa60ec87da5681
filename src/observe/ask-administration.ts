import type { World } from '../world.js'
import type { ObserveScope } from './observe-scope.js'
import type { ObservedMachine, ObservedProxmox } from './observed.js'

interface Found {
  readonly machines: readonly ObservedMachine[]
  readonly proxmox: Pick<ObservedProxmox, 'backupJobs' | 'firewall'>
}

/** Whether this token may write what needs Sys.Modify on `/`, if there is such a thing; `undefined` if unknown. */
export async function askAdministration(
  question: ObserveScope,
  found: Found,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (!concernsAdministration(question, found)) return undefined
  try {
    return (await proxmox.access.privilegesOn('/', signal)).has('Sys.Modify')
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function concernsAdministration(question: ObserveScope, { machines, proxmox }: Found): boolean {
  const { clusterName, wantsBackups, setsVmRules, setsHostRules, setsStartup } = question
  const jobs = proxmox.backupJobs?.seen === true ? proxmox.backupJobs.value : []
  return (
    wantsBackups ||
    setsVmRules ||
    setsHostRules ||
    setsStartup ||
    proxmox.firewall !== undefined ||
    jobs.some(({ id }) => id.startsWith(`ichor-${clusterName}-`)) ||
    machines.some(({ options }) => options.startup !== undefined)
  )
}
