import { oncePer } from '../cluster/lookup.js'
import type { Machine } from '../cluster/machine.js'
import type { Candidate } from '../ownership/candidates.js'
import type { GuestResource } from '../proxmox/client/port.js'
import { askedMachine, type ObserveScope } from './observe-scope.js'
import type { UnverifiedVm } from './observed.js'

/**
 * VMs on hosts that do not respond. Their owner cannot be proven, but a VM with the tag or in the pool of the cluster
 * is most likely one of its machines, and no other VM may take its identity.
 */
export function judgeUnread(
  unread: readonly Candidate[],
  question: ObserveScope,
  owned: ReadonlySet<string>,
): readonly UnverifiedVm[] {
  const missing = new Set(question.machines.map(({ name }) => name).filter((name) => !owned.has(name)))
  const isHolder = (candidate: Candidate) => looksLikeMachine(candidate, question)
  const holders = unread.filter(isHolder)
  const known = holders.map(({ guest }) => claimed(missing, findMachine(guest, question)?.name))
  return [
    ...holders.map(({ guest }, index): UnverifiedVm => {
      const name = known[index]
      if (name !== undefined) return awayVm(guest, name, `${name} (VM ${guest.vmid})`)
      const [guess] = missing
      const holds = claimed(missing, guess)
      return { ...awayVm(guest, holds, `VM ${guest.vmid}, most likely of this cluster,`), isGuess: true }
    }),
    ...unread.filter((candidate) => !isHolder(candidate)).map(unreadVm),
  ]
}

function looksLikeMachine({ guest, because }: Candidate, { templateIds }: ObserveScope): boolean {
  const isTemplate = guest.template || templateIds.some(({ from, to }) => from <= guest.vmid && guest.vmid <= to)
  return !isTemplate && because.some((sign) => sign !== 'vmid')
}

/** Its host no longer broadcasts its name, so the VMID that a machine has by default identifies it. */
function findMachine({ name, vmid }: GuestResource, question: ObserveScope): Machine | undefined {
  return askedMachine(question, name) ?? question.machines[placesByVmid(question.vmids).get(vmid) ?? -1]
}

const placesByVmid = oncePer((vmids: readonly number[]) => new Map(vmids.map((vmid, index) => [vmid, index])))

/** Each machine can be unavailable only once. */
function claimed(missing: Set<string>, name: string | undefined): string | undefined {
  return name !== undefined && missing.delete(name) ? name : undefined
}

function awayVm({ host, vmid, name }: GuestResource, holds: string | undefined, who: string): UnverifiedVm {
  return {
    host,
    vmid,
    ...(name === undefined ? {} : { name }),
    because: 'away',
    ...(holds === undefined ? {} : { holds }),
    text: `${who} is on ${host}, which does not respond: it is not changed until the host is back.`,
  }
}

function unreadVm({ guest: { host, vmid, name }, because }: Candidate): UnverifiedVm {
  const mayBeTemplate = because.some((sign) => sign !== 'vmid')
  const whose = mayBeTemplate ? 'most likely a template of ours' : 'its owner is unknown'
  const text = `VM ${vmid}, ${whose}, is on ${host}, which does not respond: it is not changed.`
  return {
    host,
    vmid,
    ...(name === undefined ? {} : { name }),
    because: 'unread',
    ...(mayBeTemplate ? { mayBeTemplate } : {}),
    text,
  }
}
