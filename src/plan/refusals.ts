import type { VmRef } from '../cluster/machine.js'
import { isProtectedBy, poolByName } from '../cluster/protection.js'
import { majority } from '../cluster/quorum.js'
import { ifSeen } from '../cluster/seen.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { findMember, memberOf } from '../etcd/etcd-members.js'
import { wasBootstrapped } from '../etcd/was-bootstrapped.js'
import type { Refusal } from '../findings/refusals/define-refusal.js'
import { tooFewControlPlanes, unreachableMajority } from '../findings/refusals/etcd.js'
import { otherAddress, otherRole, protectedMachine } from '../findings/refusals/inventory.js'
import { anotherPool, convertedVm, detachedSystem, foreignMark, lostMark } from '../findings/refusals/machines.js'
import { hiddenLeftover, protectedTemplate, protectedVm } from '../findings/refusals/proxmox.js'
import { missingSecrets } from '../findings/refusals/secrets.js'
import type { Observed, ObservedEtcd, ObservedMachine } from '../observe/observed.js'
import { diskVolume } from '../vm/disk-option.js'
import { isEmptied } from '../vm/emptied.js'
import { isProtected, isProtectedByUs } from '../vm/protection.js'
import { findSeen, findWanted } from '../work/wanted-machine.js'
import { isEtcdGivenUp } from './etcd/etcd-facts.js'
import { replacementOf } from './machine/rebuild.js'
import { whatProxmoxHides, whatStoragesHide } from './unknowns.js'

/** A VM with these secrets in another pool: it was moved, or the cluster name is misspelt. */
export function refuseAnotherPool({ cluster }: Desired, { unverified, machines }: Observed): void {
  const elsewhere = unverified.filter(({ because }) => because === 'other-pool')
  const [first] = elsewhere
  if (first === undefined) return
  const where = elsewhere.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; ')
  if (machines.length === 0 && first.pool !== undefined) {
    throw anotherPool.refuse(
      `VM ${first.vmid} is in the pool ${first.pool}, and the machines of this inventory are in ${cluster.pool}.`,
      {
        subject: { kind: 'machine', name: `VM ${first.vmid}` },
        where: 'cluster_name or proxmox.pool in the inventory',
        fix: `The secrets beside this inventory are those of the cluster in ${first.pool}: write its cluster_name and proxmox.pool back.`,
      },
    )
  }
  const vmids = elsewhere.map(({ vmid }) => vmid)
  throw anotherPool.refuse(elsewhere.map(({ text }) => text).join('\n'), {
    subject: { kind: 'machine', name: `VM ${vmids.join(', ')}` },
    where,
    fix: `If ${vmids.length === 1 ? 'it is a machine' : 'they are machines'} of this cluster, put ${vmids.length === 1 ? 'it' : 'them'} back: pvesh set /pools --poolid ${cluster.pool} --vms ${vmids.join(',')} --allow-move 1`,
  })
}

/** Certificates, etcd and clients know a machine by its address. Changing only the config would make it unreachable. */
export function refuseOtherAddresses({ machines }: Desired, observed: Observed): void {
  const moved = machines.flatMap(({ machine: { name, role }, address }) => {
    const talos = findSeen(observed, name)?.talos
    const runsAt = talos?.reach === 'silent' ? talos.elsewhere : undefined
    return runsAt === undefined || address === undefined ? [] : [{ name, role, runsAt, address }]
  })
  if (moved.length === 0) return
  const sentences = moved.map(({ name, runsAt, address }) => `${name} has ${runsAt}, but the inventory has ${address}.`)
  const names = moved.map(({ name }) => name).join(', ')
  const canGo = moved.every(({ role }) => role === 'worker')
  throw otherAddress.refuse(`${sentences.join('\n')}\nichor cannot change the address of an existing machine.`, {
    subject: { kind: 'machine', name: names },
    where: 'the addresses and offsets of the inventory',
    fix: `Restore the current addresses${canGo ? `, or recreate the machines: run ichor up once without ${names} in the inventory` : ''}.`,
  })
}

/** Talos installs a machine for one role: a control plane has an etcd member to remove, a worker has none. */
export function refuseOtherRoles({ machines }: Desired, observed: Observed): void {
  const other = machines.find(({ machine: { name, role } }) => isMadeAs(findSeen(observed, name), role))
  if (other === undefined) return
  const { name, role } = other.machine
  const [was, wanted] = role === 'worker' ? ['control plane', 'worker'] : ['worker', 'control plane']
  throw otherRole.refuse(`${name} was created as a ${was}, but is a ${wanted} in the inventory.`, {
    subject: { kind: 'machine', name: name },
    where: `machine ${name}`,
    fix: `Give the new ${wanted} a unique name; or run ichor up once without ${name} in the inventory, and then put it in as a ${wanted}.`,
  })
}

function isMadeAs(seen: ObservedMachine | undefined, role: string): boolean {
  return seen !== undefined && seen.mark.stage === 'made' && seen.mark.role !== role
}

/** VMs protected in Proxmox cannot be deleted. Deleting nothing is better than deleting all but one. */
export function refuseProtectedVms(desired: Desired, observed: Observed): void {
  const seeded = desired.machines.flatMap(({ machine, template }) => {
    const seen = findSeen(observed, machine.name)
    return seen !== undefined && isSeeded(seen, desired) && !inheritsProtection(seen, template, observed) ? [seen] : []
  })
  const going = new Set([...goingFrom(desired, observed), ...seeded])
  refuseProtection(
    protectedVm,
    [...going].filter((seen) => isProtected(seen) && !isProtectedByUs(seen)),
  )
}

/** `destroy` deletes the templates as well. */
export function refuseProtectedTemplates(_desired: Desired, { templates }: Observed): void {
  refuseProtection(
    protectedTemplate,
    templates.filter((template) => template.isProtected),
  )
}

function refuseProtection(refusal: Refusal, kept: readonly (VmRef & { readonly name: string })[]): void {
  if (kept.length === 0) return
  const names = kept.map(({ name, vmid }) => `${name} (VM ${vmid})`).join(', ')
  throw refusal.refuse(`${names} ${kept.length === 1 ? 'is' : 'are'} protected in Proxmox.`, {
    subject: { kind: 'machine', name: kept.map(({ name }) => name).join(', ') },
    where: kept.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; '),
    fix: 'Remove the protection under Options of the VM, if you mean it.',
  })
}

/** It has a seed or gets one, which could not be deleted later. */
function isSeeded(machine: ObservedMachine, desired: Desired): boolean {
  const isNew = machine.mark.stage === 'making' && desired.cluster.delivery === 'cidata'
  return isNew || isEmptied(machine, desired)
}

/** A new clone of a protected template, which loses that protection before it gets its seed. */
function inheritsProtection({ mark }: ObservedMachine, template: string | undefined, { templates }: Observed): boolean {
  return (
    mark.more?.identity === 'pending' && templates.some(({ name, isProtected }) => name === template && isProtected)
  )
}

/** The data on a detached disk still exists, so no empty disk is attached in its place. */
export function refuseDetachedSystem({ machines }: Desired, observed: Observed): void {
  for (const { machine } of machines) {
    const seen = findSeen(observed, machine.name)
    const detached = Object.keys(seen?.options ?? {}).filter((slot) => /^unused\d+$/.test(slot))
    if (seen?.mark.stage !== 'made' || detached.length === 0) continue
    if (diskVolume(seen.options.scsi0) !== undefined) continue
    throw detachedSystem.refuse(
      `The system disk of ${seen.name} is detached: its VM has no scsi0, and ${detached.join(', ')}.`,
      {
        subject: { kind: 'machine', name: seen.name },
        where: `Proxmox host ${seen.host}, VM ${seen.vmid}`,
        fix: `Attach the disk again as scsi0. If you do not need it, remove ${detached.join(', ')} under Hardware of the VM: the next ichor up creates a new one.`,
      },
    )
  }
}

/**
 * Without an etcd majority nothing can be checked or repaired through Kubernetes. Machines on silent hosts may restore
 * it.
 */
export function refuseLostMajority({ away }: Desired, observed: Observed): void {
  const blind = away.filter(({ machine }) => machine.role === 'controlplane')
  const etcd = ifSeen(observed.etcd)
  const mayAnswer = observed.machines.some(
    ({ mark, talos }) => mark.role === 'controlplane' && talos.reach !== 'secured',
  )
  if (blind.length === 0 || (etcd === undefined && mayAnswer)) return
  if ((etcd?.healthy.length ?? 0) >= majority(etcd?.members.length ?? 1)) return
  const names = blind.map(({ machine }) => machine.name).join(', ')
  const hosts = [...new Set(blind.map(({ host }) => host))].join(', ')
  const problem = wasBootstrapped(observed)
    ? `etcd has no majority without ${names}, and ${hosts} cannot be reached.`
    : `etcd was never bootstrapped, as far as can be seen, and ${hosts} cannot be reached: no etcd is bootstrapped without ${names}.`
  throw unreachableMajority.refuse(problem, {
    subject: { kind: 'host', name: hosts },
    where: `Proxmox host ${hosts}`,
    fix: `Bring ${hosts} back, then run the same command again. Nothing was changed.`,
  })
}

/** What `destroy` would leave behind because it cannot see it. */
export function refuseToLeaveBehind(_desired: Desired, observed: Observed): void {
  const away = observed.unverified.filter(({ because, mayBeTemplate }) => because === 'away' || mayBeTemplate)
  if (away.length > 0) {
    const hosts = [...new Set(away.map(({ host }) => host))].join(', ')
    throw hiddenLeftover.refuse(
      `VM ${away.map(({ vmid }) => vmid).join(', ')} would stay behind: ${hosts} does not answer.`,
      {
        subject: { kind: 'host', name: hosts },
        where: `Proxmox host ${hosts}`,
        fix: `Bring ${hosts} back, then run ichor destroy again. Nothing was changed.`,
      },
    )
  }
  const [hidden] = [...whatProxmoxHides(observed), ...whatStoragesHide(observed)]
  if (hidden === undefined) return
  throw hiddenLeftover.refuse(`Something of the cluster might stay behind: ${hidden.what} could not be read.`, {
    subject: { kind: 'object', name: hidden.what },
    where: hidden.why,
    fix: 'Run ichor destroy again when Proxmox answers, with a token that may read it. Nothing was changed.',
  })
}

export function refuseWithoutSecrets({ cluster }: Desired, { secrets, unverified }: Observed): void {
  const marked = unverified.filter(({ because }) => because === 'no-secrets')
  if (secrets.present || marked.length === 0) return
  throw missingSecrets.refuse(
    `VM ${marked.map(({ vmid }) => vmid).join(', ')} ${marked.length === 1 ? 'belongs' : 'belong'} to this cluster, or to another one with its name, and the secrets are missing.`,
    {
      subject: { kind: 'cluster', name: cluster.name },
      where: marked.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; '),
      fix: 'If another cluster has this name, choose another cluster_name. Else restore the secrets file beside the inventory: without it the machines cannot be reached, only deleted with ichor destroy.',
    },
  )
}

/**
 * Machines of a cluster with the same name and other secrets, or with a mark that ichor did not write. Their owner is
 * unknown.
 */
export function refuseMarksOfOthers({ machines }: Desired, { unverified }: Observed): void {
  const theirs = unverified.find(({ because, holds }) => because === 'other-cluster' && holds !== undefined)
  if (theirs === undefined || machines.length === 0) return
  throw foreignMark.refuse(`${theirs.text} It has the UUID or MAC of ${theirs.holds} of this one.`, {
    subject: { kind: 'machine', name: `VM ${theirs.vmid}` },
    where: `Proxmox host ${theirs.host}, VM ${theirs.vmid}`,
    fix: 'If two clusters have the same cluster_name, rename the new one. If it is a machine of this cluster, restore the block of its notes that begins with ```ichor from a backup of the VM.',
  })
}

export function refuseLostMarks({ machines }: Desired, { unverified }: Observed): void {
  const lost = unverified.find(({ because }) => because === 'mark-lost')
  if (lost === undefined || machines.length === 0) return
  const restore =
    'restore what was changed manually (the block of its notes that begins with ```ichor, its UUID, or the MAC of net0) from a backup of the VM'
  throw lostMark.refuse(lost.text, {
    subject: { kind: 'machine', name: `VM ${lost.vmid}` },
    where: `Proxmox host ${lost.host}, VM ${lost.vmid}`,
    fix:
      lost.isOff === true
        ? `If ichor created it, ${restore}; or delete the VM, and ichor up recreates it. If something else created it, choose another cluster_name here.`
        : `The VM may be in use: leave it as it is. If ichor created it, ${restore}. If something else created it, such as Terraform, ichor adopt takes its cluster over into another folder; or choose another cluster_name here.`,
  })
}

/** Its VM was converted to a template, which cannot start. */
export function refuseConverted(desired: Desired, observed: Observed): void {
  const going = new Set(goingFrom(desired, observed))
  const converted = observed.machines.filter((seen) => seen.options.template === '1' && !going.has(seen))
  if (converted.length === 0) return
  const names = converted.map(({ name }) => name)
  const [was, it, its] =
    names.length === 1 ? ['its VM was', 'it', 'its disks'] : ['their VMs were', 'them', 'their disks']
  throw convertedVm.refuse(`${names.join(', ')} cannot start: ${was} converted to a template.`, {
    subject: { kind: 'machine', name: names.join(', ') },
    where: converted.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; '),
    fix: `ichor replace ${names.join(' ')} creates ${it} again, without the data on ${its}.`,
  })
}

/**
 * An unwanted machine: protected by its name, its role or its pool. The pool of a named worker is no longer known, but whether ichor
 * has protected its VM in Proxmox is.
 */
function isUnwantedKept(seen: ObservedMachine, { cluster, machines, away }: Desired): boolean {
  const { protect = false } = cluster
  const { name, mark } = seen
  const pool = poolByName(cluster.name, name)
  if (isProtectedBy(protect, { name, role: mark.role, pool })) return true
  const known = new Set(['control_plane', ...[...machines, ...away].map(({ machine }) => machine.name)])
  const namesPools = typeof protect !== 'boolean' && protect.some((one) => !known.has(one))
  return mark.role === 'worker' && pool === undefined && namesPools && isProtectedByUs(seen)
}

/** Machines that the inventory protects are not deleted, neither as unwanted ones nor with the whole cluster. */
export function refuseProtected(desired: Desired, observed: Observed): void {
  const { machines } = desired
  const isKept = (seen: ObservedMachine) =>
    findWanted(desired, seen.name)?.machine.isProtected ?? isUnwantedKept(seen, desired)
  const kept = goingFrom(desired, observed).filter(isKept)
  if (kept.length === 0) return
  const names = kept.map(({ name }) => name).join(', ')
  throw protectedMachine.refuse(`${names} would be deleted, and ${kept.length === 1 ? 'is' : 'are'} protected.`, {
    subject: { kind: 'machine', name: names },
    where: 'protect in the inventory',
    fix: `${machines.length === 0 ? 'Remove' : `Put ${names} back into the inventory, or remove`} the protection first.`,
  })
}

/**
 * An odd number of members must stay, because an even number survives no more failures than one fewer. They are a
 * majority of today's members, or all of them are healthy, so that the others can leave one at a time.
 */
export function refuseTooFewControlPlanes({ machines, away }: Desired, observed: Observed): void {
  const leaving = surplusOf(machines, observed).filter(({ mark }) => mark.role === 'controlplane')
  const etcd = ifSeen(observed.etcd)
  if (leaving.length === 0) return
  const wanted = [...machines, ...away].filter(({ machine }) => machine.role === 'controlplane')
  const names = leaving.map(({ name }) => name).join(', ')
  if (wanted.length % 2 === 0) {
    throw tooFewControlPlanes.refuse(
      `Without ${names} there are ${wanted.length} control planes: etcd needs an odd number of members, and ${wanted.length} tolerate no more failures than ${wanted.length - 1}.`,
      tooFew(names, etcd?.members.length ?? wanted.length + leaving.length),
    )
  }
  if (etcd === undefined) return
  const members = etcd.members.length
  const staying = members - leaving.filter((machine) => memberOf(etcd, machine) !== undefined).length
  // A lost member that is recreated joins the ones that stay, if they are a majority of the wanted members.
  const joining = wanted.filter(({ machine }) => findMember(etcd, machine) === undefined).length
  if (staying + joining >= majority(members) && staying >= majority(wanted.length)) return
  if (joining === 0 && areStayingHealthy(etcd, wanted)) return
  throw tooFewControlPlanes.refuse(
    `Of ${members} control planes ${staying} would remain, less than a majority of ${majority(members)}: all that remain must be healthy in etcd, and ${etcd.healthy.length} of ${members} members are healthy.`,
    tooFew(names, members),
  )
}

/** All members that stay are healthy, and the healthy members are a majority of today's. */
function areStayingHealthy(etcd: ObservedEtcd, staying: readonly Pick<DesiredMachine, 'machine'>[]): boolean {
  const isHealthy = ({ machine }: Pick<DesiredMachine, 'machine'>) =>
    etcd.healthy.includes(findMember(etcd, machine)?.id ?? '')
  return staying.every(isHealthy) && etcd.healthy.length >= majority(etcd.members.length)
}

function tooFew(names: string, members: number) {
  return {
    subject: { kind: 'machine', name: names } as const,
    where: 'the control planes of the inventory',
    fix: `Keep ${members}, or an odd number of them; recover those that are not healthy first.`,
  }
}

function surplusOf(machines: Desired['machines'], observed: Observed): ObservedMachine[] {
  const wanted = new Set(machines.map(({ machine }) => machine.name))
  return observed.machines.filter(({ name }) => !wanted.has(name))
}

/** Machines whose VM this plan deletes: unwanted, or recreated without the data on their disks. */
function goingFrom(desired: Desired, observed: Observed): ObservedMachine[] {
  const givenUp = isEtcdGivenUp(desired, observed) ? observed.machines.filter(isControlPlane) : []
  const replaced = desired.machines.flatMap((wanted) => {
    const seen = findSeen(observed, wanted.machine.name)
    return seen === undefined || replacementOf(desired, wanted, seen) === undefined ? [] : [seen]
  })
  return [...new Set([...surplusOf(desired.machines, observed), ...givenUp, ...replaced])]
}

function isControlPlane({ mark }: ObservedMachine): boolean {
  return mark.role === 'controlplane'
}
