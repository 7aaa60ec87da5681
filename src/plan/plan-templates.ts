import { lookupBy } from '../cluster/lookup.js'
import type { DesiredTemplate } from '../desired/desired.js'
import { unreadTemplate } from '../findings/refusals/proxmox.js'
import type { Observed, ObservedTemplate } from '../observe/observed.js'
import { claimMachine } from '../steps/claim-machine.js'
import { deleteMachine } from '../steps/delete-machine.js'
import { makeSecrets } from '../steps/make-secrets.js'
import { makeTemplate } from '../steps/make-template.js'
import { templateOf } from '../vm/desired-parts.js'
import type { Draft, StepRef } from './draft.js'

const templateByName = lookupBy(({ name }: ObservedTemplate) => name)

export function isTemplateReady({ templates }: Observed, name: string): boolean {
  return templateByName(templates, name)?.isReady === true
}

/** The template that machines are cloned from. An outdated one is kept until nothing needs it. */
export function planTemplate(draft: Draft, name: string, image: StepRef | undefined): StepRef {
  const { role, host } = templateOf(draft.desired, name)
  refuseUnreadTemplate({ name, host }, draft.observed)
  const others = draft.observed.templates.filter((one) => one.mark.role === role && one.host === host && one.isReady)
  const reason =
    others.length === 0
      ? 'machines are cloned from it'
      : `${others.map((one) => one.name).join(', ')} no longer matches the inventory`
  return draft.add(makeTemplate, { template: name }, reason, [draft.refIfPlanned(makeSecrets, {}), image])
}

/**
 * A template that may exist but cannot be read is not created twice. On local storages, template names end with the
 * host.
 */
function refuseUnreadTemplate({ name, host }: Pick<DesiredTemplate, 'name' | 'host'>, { unverified }: Observed): void {
  const isLocal = name.endsWith(`-${host}`)
  const unread = unverified.find((vm) => {
    if (vm.mayBeTemplate !== true || (isLocal && vm.host !== host)) return false
    return vm.name === undefined || vm.name === name
  })
  if (unread === undefined) return
  throw unreadTemplate.refuse(
    `Cannot determine whether the template ${name} exists: ${unread.host} does not respond.`,
    {
      subject: { kind: 'machine', name: name },
      where: `Proxmox host ${unread.host}, VM ${unread.vmid}`,
      fix: `Bring ${unread.host} back, then run the same command again. Nothing was changed.`,
    },
  )
}

/** An unwanted template is deleted once no disk depends on its disk, unless a person protected it. */
export function planTemplateRemoval(draft: Draft, observed: Observed): void {
  const { templates, machines } = observed
  const { desired } = draft
  // Disks of a machine that cannot be read may depend on it.
  if (observed.proxmox.unreadHosts.length > 0 || observed.unverified.some(({ because }) => because === 'away')) return
  const wanted = new Set(desired.templates.map(({ name }) => name))
  const unwantedOnes = templates.filter(({ name, isProtected }) => !wanted.has(name) && isProtected !== true)
  if (unwantedOnes.length === 0) return
  const bases = basesOf(machines)
  for (const { name, vmid } of unwantedOnes)
    if (!bases.has(vmid)) draft.add(deleteMachine, { machine: name }, 'no machine uses it', draft.refs(claimMachine))
}

/** VMIDs of templates that machine disks depend on. */
function basesOf(machines: Observed['machines']): Set<number> {
  const options = machines.flatMap((machine) => Object.values(machine.options))
  return new Set(options.flatMap((option) => [...option.matchAll(/[:/]base-(\d+)-/g)].map(([, vmid]) => Number(vmid))))
}
