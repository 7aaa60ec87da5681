import { ifSeen } from '../cluster/seen.js'
import type { Facts } from '../findings/facts.js'
import type { Finding } from '../findings/finding.js'
import type { Cures } from '../plan/plan-cures.js'

/** What can be cured, and what needs another command or a person. */
interface Cure {
  readonly cures: Cures
  readonly cured: readonly Finding[]
  readonly left: readonly Finding[]
}

/** Of all findings, of those with a code, or of those of a machine. */
export function curesOf(findings: readonly Finding[], what: string | undefined, { observed, inventory }: Facts): Cure {
  const asked = findings.filter(
    ({ code, subject }) => what === undefined || code === what.toUpperCase() || subject.name === what,
  )
  const ours = new Set([...observed.machines, ...inventory.machines].map(({ name }) => name))
  const machineOf = (name: string) =>
    observed.machines.find(({ node }) => node?.name === name)?.name ??
    observed.unverified.find(({ vmid, isUnmarked }) => isUnmarked === true && `VM ${vmid}` === name)?.holds ??
    name
  const named = (kind: Kind) => [
    ...new Set(asked.filter((finding) => kindOf(finding) === kind).map(({ subject }) => machineOf(subject.name))),
  ]
  const wanted = new Set(inventory.machines.map(({ name }) => name))
  const disarms = named('disarm').length > 0
  const cures = {
    defragment: disarms ? membersOf(observed) : named('defragment').filter((name) => ours.has(name)),
    disarms,
    approve: named('approve').filter((name) => ours.has(name)),
    machines: [...named('up').filter((name) => ours.has(name)), ...named('member')],
    addons: named('addon'),
    replace: named('replace').filter((name) => wanted.has(name)),
    remark: named('remark').filter((name) => wanted.has(name)),
  }
  const cured = asked.filter((finding) => kindOf(finding) !== undefined)
  return { cures, cured, left: asked.filter((finding) => !cured.includes(finding)) }
}

/** What was to be cured and is found again. */
export function stillThere(cured: readonly Finding[], found: readonly Finding[]): Finding[] {
  return found.filter(({ code, subject }) =>
    cured.some((one) => one.code === code && one.subject.name === subject.name && one.subject.kind === subject.kind),
  )
}

type Kind = 'defragment' | 'disarm' | 'approve' | 'remark' | 'replace' | 'member' | 'addon' | 'up'

const ownCures: Readonly<Record<string, Kind>> = {
  'ichor doctor --fix ICH0305': 'remark',
  'ichor doctor --fix ICH0502': 'disarm',
  'ichor doctor --fix ICH0507': 'defragment',
  'ichor doctor --fix ICH0605': 'approve',
}

/** Of a member without a machine only its name is known: `up` removes it where no machine of ours has it. */
function kindOf({ code, cure, subject }: Finding): Kind | undefined {
  const { command = '', steps = false } = cure ?? {}
  if (steps && command === `ichor replace ${subject.name}`) return 'replace'
  if (command !== 'ichor up') return ownCures[command]
  if (code === 'ICH0510') return 'member'
  if (subject.kind === 'addon') return 'addon'
  return subject.kind === 'machine' || subject.kind === 'node' || subject.kind === 'member' ? 'up' : undefined
}

/** Control planes whose member responds. */
function membersOf({ etcd, machines }: Facts['observed']): string[] {
  const { healthy = [], owners = {} } = ifSeen(etcd) ?? {}
  return healthy.flatMap((id) => machines.filter(({ name }) => name === owners[id]).map(({ name }) => name)).toSorted()
}
