import { groupBy } from '../../cluster/lookup.js'
import type { Machine } from '../../cluster/machine.js'
import { ifSeen } from '../../cluster/seen.js'
import { machinesAway } from '../../desired/away.js'
import { endpointOf } from '../../desired/endpoint.js'
import { PlanRefused } from '../../errors.js'
import { sickMembers } from '../../etcd/sick-members.js'
import type { Facts } from '../../findings/facts.js'
import { findFindings } from '../../findings/find-findings.js'
import type { Finding, Unknown } from '../../findings/finding.js'
import { findingDefinitions } from '../../findings/index.js'
import { noteText } from '../../findings/notes/define-note.js'
import { outlookOf } from '../../findings/outlook.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed, ObservedMachine, UnverifiedVm } from '../../observe/observed.js'
import type { Plan } from '../../plan/plan.js'
import { shutdownNote } from '../../vm/shutdown-note.js'
import { type EtcdStatus, etcdStatus } from './etcd-status.js'
import type { HostLoadReport } from './host-load.js'
import { type RollStatus, rollStatus } from './roll.js'
import type { UnreadableSecrets } from './unreadable-secrets.js'

/** The stable part of `status --json`: fields are never renamed, more may be added. */
export interface Status {
  readonly version: 1
  readonly cluster: string
  readonly healthy: boolean
  /** When `ichor shutdown` turned the cluster off, while all of its machines are off. */
  readonly shut_down: string | null
  readonly endpoint: string | null
  readonly talos_version: string
  readonly kubernetes_version: string
  readonly hosts: readonly HostRow[]
  readonly machines: readonly MachineStatus[]
  /** VMs that are not nodes, with their names in the inventory; `absent` if Proxmox has none with that name or VMID. */
  readonly guests: readonly { name: string; host: string | null; vmid: number | null; state: string }[]
  readonly etcd: EtcdStatus
  /** Control planes whose API server has not the key that Secrets in etcd were encrypted with. */
  readonly unreadable_secrets: readonly UnreadableSecrets[]
  readonly addons: readonly AddonStatus[]
  readonly certificates: readonly { name: string; expires: string; expires_soon?: boolean }[]
  /** The newest etcd snapshot, and the last drill that passed; `null` if the store cannot be read. */
  readonly backup?: BackupStatus | null
  /** A version change in progress. */
  readonly roll: RollStatus | null
  readonly drift: readonly string[]
  /** Why `up` would refuse to do anything; then the drift is incomplete. */
  readonly refusal: { readonly problem: string; readonly fix: string } | null
  readonly notes: readonly string[]
  /** What does not fit, the worst first; `ichor doctor` looks deeper. */
  readonly findings: readonly Finding[]
  /** What could not be seen: it may be well or not. */
  readonly unknown: readonly Unknown[]
}

export interface HostRow {
  readonly name: string
  readonly online: boolean
  readonly machines: readonly string[]
  /** What it does now; `null` if that is not known. */
  readonly load?: HostLoadReport | null
}

export interface BackupStatus {
  /** The newest snapshot. */
  readonly name?: string | null
  /** When it was taken. */
  readonly last: string | null
  readonly age_s: number | null
  readonly drilled: string | null
}

export interface AddonStatus {
  readonly name: string
  readonly version: string
  readonly healthy: boolean
  /** Why it is not healthy. */
  readonly reason: string | null
}

export interface MachineStatus {
  readonly name: string
  readonly role: string
  readonly host: string | null
  readonly vmid: number | null
  readonly mac: string
  readonly uuid: string
  readonly address: string | null
  readonly ready: boolean
  readonly state: string
  /** Why a control plane that responds has no etcd, and what repairs it. */
  readonly problem?: { readonly text: string; readonly fix: string | null }
  readonly talos_version: string | null
  readonly kubernetes_version: string | null
  /** What the node reports as wrong although it runs, such as a volume without a disk. */
  readonly problems: readonly { readonly text: string; readonly fix: string }[]
}

/** The current state for `status`: the plan provides the drift, or the reason why there is none. */
export function statusOf(facts: Facts, verdict: Plan | PlanRefused): Status {
  const { inventory, observed, addons: wanted = [], lastProblem, unreadable = [], expiries } = facts
  const now = new Date(facts.now)
  const { findings, unknown } = findFindings(findingDefinitions, facts)
  const { settings } = inventory
  const away = new Map(machinesAway(inventory.machines, observed).map((one) => [one.machine.name, one]))
  const seenByName = new Map(observed.machines.map((one) => [one.name, one]))
  const holderOf = new Map(observed.unverified.map((vm) => [vm.holds, vm]))
  const sick = sickStatus(observed)
  const machines = inventory.machines.map((machine) => {
    const seen = seenByName.get(machine.name)
    const holder = holderOf.get(machine.name)
    return {
      ...machineStatus(machine, seen),
      ...(seen === undefined ? unverifiedStatus(holder) : {}),
      ...awayStatus(away.get(machine.name)),
      ...sick.get(machine.name),
    }
  })
  const byHost = groupBy(machines, ({ host }) => host)
  const etcd = etcdStatus(observed, inventory)
  const addons = addonStatus(wanted, observed)
  return {
    version: 1,
    cluster: settings.cluster_name,
    healthy: outlookOf(findings, observed) === 'well',
    shut_down: shutDownSince(observed),
    endpoint: endpointOf(inventory, observed) ?? null,
    talos_version: settings.talos_version,
    kubernetes_version: settings.kubernetes_version,
    hosts: observed.proxmox.hosts.map(({ name, online }) => ({
      name,
      online,
      machines: (byHost.get(name) ?? []).map((machine) => machine.name),
    })),
    machines,
    guests: guestStatus(inventory, observed),
    etcd,
    unreadable_secrets: unreadable,
    addons,
    certificates: endingSoon(expiries, settings, now),
    roll: rollStatus(machines, settings, lastProblem),
    drift: [...olderOrNewer(machines, settings), ...(verdict instanceof PlanRefused ? [] : driftIn(verdict))],
    refusal: verdict instanceof PlanRefused ? { problem: verdict.message, fix: verdict.fix } : null,
    notes: verdict instanceof PlanRefused ? observed.unverified.map(({ text }) => text) : verdict.notes.map(noteText),
    findings,
    unknown,
  }
}

/** Machines on hosts that do not answer may be on. */
function shutDownSince({ machines, unverified }: Observed): string | null {
  const notes = machines.map(({ status, mark }) => (status === 'stopped' ? shutdownNote(mark) : undefined))
  const isUnknown = unverified.some(({ because }) => because === 'away')
  if (isUnknown || notes.some((note) => note === undefined)) return null
  return (
    notes
      .flatMap((note) => note ?? [])
      .sort()
      .at(-1) ?? null
  )
}

function guestStatus({ guests }: Inventory, { proxmox }: Observed): Status['guests'] {
  return guests.map(({ name, vmid }) => {
    const found = proxmox.guests.find((guest) => (vmid === undefined ? guest.name === name : guest.vmid === vmid))
    return { name, host: found?.host ?? null, vmid: found?.vmid ?? vmid ?? null, state: found?.status ?? 'absent' }
  })
}

/** Marks those that expire within `certificate_warning_days`; client files no earlier than `up` renews them. */
function endingSoon(
  certificates: Status['certificates'],
  { observability, client_files }: Inventory['settings'],
  now: Date,
): Status['certificates'] {
  const halfOfLife = client_files.lifetime / 86_400_000 / 2
  const maxDays = ({ name }: Status['certificates'][number]) =>
    /^(talosconfig|kubeconfig)$/.test(name) ? halfOfLife : Number.POSITIVE_INFINITY
  return certificates.map((one) => ({
    ...one,
    expires_soon: daysUntil(one.expires, now) < Math.min(observability.certificate_warning_days, maxDays(one)),
  }))
}

function daysUntil(expires: string, now: Date): number {
  return (Date.parse(expires) - now.getTime()) / 86_400_000
}

/** A version is not visible in the config alone: the running version counts. */
function olderOrNewer(machines: readonly MachineStatus[], wanted: Inventory['settings']): string[] {
  return machines.flatMap(({ name, talos_version, kubernetes_version }) => [
    ...versionDrift(name, 'Talos', talos_version, wanted.talos_version),
    ...versionDrift(name, 'Kubernetes', kubernetes_version, wanted.kubernetes_version),
  ])
}

function versionDrift(machine: string, what: string, runs: string | null, wanted: string): string[] {
  return runs === null || runs === wanted ? [] : [`${machine} runs ${what} ${runs}, expected ${wanted}`]
}

function driftIn({ steps }: Plan): string[] {
  return steps.filter(({ changes }) => changes).map(({ title, reason }) => `${title}: ${reason}`)
}

/** Its last known host, which does not respond, so nothing else is known. */
function awayStatus(away: { host: string; vmid: number } | undefined): Partial<MachineStatus> {
  return away === undefined ? {} : { host: away.host, vmid: away.vmid, state: 'host down' }
}

/** A VM has its identity without proof: the secrets are missing, or its mark is invalid. */
function unverifiedStatus(holder: UnverifiedVm | undefined): Partial<MachineStatus> {
  return holder === undefined ? {} : { host: holder.host, vmid: holder.vmid, state: 'unverified' }
}

/** Installed addons, and those that are still missing. */
function addonStatus(wanted: NonNullable<Facts['addons']>, { kubernetes }: Observed): AddonStatus[] {
  const installed = ifSeen(kubernetes)?.addons ?? []
  const absent = wanted.filter(({ name }) => !installed.some((addon) => addon.name === name))
  return [
    ...installed.map(({ name, version, healthy, reason }) => ({ name, version, healthy, reason: reason ?? null })),
    ...absent.map(({ name, version }) => ({
      name,
      version,
      healthy: false,
      reason: kubernetes.seen ? 'it is not installed yet' : `Kubernetes does not respond: ${kubernetes.why}`,
    })),
  ]
}

function machineStatus({ name, role, identity }: Machine, seen: ObservedMachine | undefined): MachineStatus {
  const talos = seen?.talos
  return {
    name,
    role,
    host: seen?.host ?? null,
    vmid: seen?.vmid ?? null,
    mac: identity.mac,
    uuid: identity.uuid,
    address: seen?.address ?? null,
    // Kubernetes calls a node Ready for a while after its last word.
    ready: talos?.reach === 'secured' && seen?.node?.ready === true,
    state: stateOf(seen),
    talos_version: talos?.reach === 'secured' ? talos.version : null,
    kubernetes_version: seen?.node?.kubeletVersion ?? null,
    problems: talos?.reach === 'secured' ? (talos.problems ?? []) : [],
  }
}

function stateOf(seen: ObservedMachine | undefined): string {
  if (seen === undefined) return 'absent'
  if (seen.status === 'stopped') return 'stopped'
  if (seen.talos.reach === 'silent') return seen.talos.halted ?? 'silent'
  if (seen.talos.reach !== 'secured') return seen.talos.reach
  return seen.node?.ready ? 'ready' : seen.talos.stage
}

/** Its node may be Ready, and its API server does not work. */
function sickStatus(observed: Observed): Map<string, Pick<MachineStatus, 'ready' | 'state' | 'problem'>> {
  return new Map(
    sickMembers(observed).map(({ machine, problem: text, fix = null }) => [
      machine,
      { ready: false, state: 'etcd failed', problem: { text, fix } },
    ]),
  )
}
