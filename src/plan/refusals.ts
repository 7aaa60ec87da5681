import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { Observed } from '../observe/observed.js'

/** What must not be planned at all, with the law and the way out. */
export function refuseDanger(desired: Desired, observed: Observed): void {
  refuseWithoutSecrets(observed)
  refuseLostMarks(desired, observed)
}

function refuseWithoutSecrets({ secrets, suspects }: Observed): void {
  const marked = suspects.filter(({ because }) => because === 'no-secrets')
  if (secrets.present || marked.length === 0) return
  throw new PlanRefused(
    `VM ${marked.map(({ vmid }) => vmid).join(', ')} belong to this cluster, and its secrets are missing.`,
    {
      where: marked.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; '),
      fix: 'Put the secrets file back beside the inventory. Without it the machines cannot be reached; ichor destroy takes them away.',
    },
  )
}

function refuseLostMarks({ machines }: Desired, { suspects }: Observed): void {
  const lost = suspects.find(({ because }) => because === 'mark-lost')
  if (lost === undefined || machines.length === 0) return
  throw new PlanRefused(lost.text, {
    where: `Proxmox host ${lost.host}, VM ${lost.vmid}`,
    fix: 'Its notes were edited. ichor doctor --fix writes the mark anew; or delete the VM by hand.',
  })
}
