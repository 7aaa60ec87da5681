import type { Complaint } from '../complaint.js'
import type { Draft } from '../machines.js'
import { formatPath, type Path } from '../path.js'
import type { CheckInput } from './check.js'

/** MACs, UUIDs and fixed VMIDs identify machines, so they must be unique; and every range must have space. */
export function* checkIdentities(input: CheckInput): Iterable<Complaint> {
  yield* unique('MAC', input.drafts.flatMap(macsOf))
  yield* unique(
    'UUID',
    input.drafts.map((draft) => ({
      value: draft.machine.identity.uuid,
      path: placeOf(draft, 'uuid'),
      owner: draft.machine.name,
    })),
  )
  yield* unique('VMID', vmidsOf(input))
  yield* multicast(input)
  yield* ranges(input)
}

interface Claim {
  readonly value: string
  readonly path: Path
  readonly owner: string
}

function placeOf({ path, isNamed }: Draft, key: string): Path {
  return isNamed ? [...path, key] : path
}

function macsOf(draft: Draft): Claim[] {
  return draft.machine.nics.map(({ mac }, index) => ({
    value: mac,
    owner: index === 0 ? draft.machine.name : `${draft.machine.name}/${index}`,
    path: index === 0 || !draft.isNamed ? placeOf(draft, 'mac') : [...draft.path, 'nics', index - 1, 'mac'],
  }))
}

function vmidsOf({ settings, drafts }: CheckInput): Claim[] {
  const machines = drafts.flatMap((draft) =>
    draft.machine.vmid === undefined
      ? []
      : [{ value: String(draft.machine.vmid), path: placeOf(draft, 'vmid'), owner: draft.path.join() }],
  )
  const guests = settings.guests.flatMap(({ vmid }, index) =>
    vmid === undefined ? [] : [{ value: String(vmid), path: ['guests', index, 'vmid'], owner: `guests,${index}` }],
  )
  return [...machines, ...guests]
}

/** Machines with the same name have the same identity; the duplicate name is a separate problem. */
function* unique(what: string, claims: readonly Claim[]): Iterable<Complaint> {
  const seen = new Map<string, Claim>()
  for (const claim of claims) {
    const other = seen.get(claim.value)
    if (other === undefined) seen.set(claim.value, claim)
    if (other === undefined || other.owner === claim.owner) continue
    yield {
      path: claim.path,
      related: [other.path],
      message: `The ${what} ${claim.value} is already used by ${formatPath(other.path)}.`,
      fix: `Give each machine a unique ${what}, or remove it: ichor then generates one.`,
    }
  }
}

function* multicast({ drafts }: CheckInput): Iterable<Complaint> {
  for (const { value, path } of drafts.flatMap(macsOf)) {
    if ((Number.parseInt(value.slice(0, 2), 16) & 1) === 0) continue
    yield {
      path,
      message: `${value} is a multicast address, which no NIC can have.`,
      fix: 'Write a MAC whose second digit is even, such as 02:….',
    }
  }
}

function* ranges({ settings, drafts }: CheckInput): Iterable<Complaint> {
  const counted = drafts.filter(({ machine }) => machine.vmid === undefined)
  const pools = new Map(
    settings.worker_pools.map((pool, index) => [
      pool.name,
      { range: pool.vm_ids, path: ['worker_pools', index, 'vm_ids'] as Path },
    ]),
  )
  const needs = new Map<string, { range: { from: number; to: number }; path: Path; count: number }>()
  for (const { machine } of counted) {
    const key = machine.role === 'controlplane' ? 'control_plane' : 'worker'
    const own = pools.get(machine.pool)
    const { range, path } =
      own?.range === undefined
        ? { range: settings.vm_ids[key], path: ['vm_ids', key] }
        : { range: own.range, path: own.path }
    const need = needs.get(formatPath(path)) ?? { range, path, count: 0 }
    needs.set(formatPath(path), { ...need, count: need.count + 1 })
  }
  for (const { range, path, count } of needs.values()) {
    const available = range.to - range.from + 1
    if (count <= available) continue
    yield {
      path,
      related: [['worker_count'], ['control_plane_count'], ['workers'], ['controlplane'], ['worker_pools']],
      message: `The VMID range ${range.from}-${range.to} has ${available} VMIDs for ${count} machines.`,
      fix: `Write a wider range, such as ${range.from}-${range.from + 2 * count}.`,
    }
  }
}
