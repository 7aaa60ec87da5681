import type { Patch } from './patched-planner.js'

interface Reordering {
  readonly name: string
  readonly patches: readonly Patch[]
}

const swap =
  (one: string, other: string) =>
  (text: string): string =>
    text.replace(one, '\0').replace(other, one).replace('\0', other)

const drop =
  (part: string | RegExp) =>
  (text: string): string =>
    text.replace(part, '')

/** A row of the table of a round, with the comment on its place. */
function rowOf(name: string, text: string): string {
  const rows = text.match(/^ {2}\{(?:.*\}|[\s\S]*?^ {2}\}),\n/gm) ?? []
  const row = rows.find((one) => one.includes(`name: '${name}'`))
  if (row === undefined) throw new Error(`no row ${name}`)
  return row
}

/** Moves a row behind another one. */
const moveBehind =
  (name: string, place: string) =>
  (text: string): string => {
    const [row, other] = [rowOf(name, text), rowOf(place, text)]
    return text.replace(row, '').replace(other, () => other + row)
  }

const swapRows =
  (name: string, place: string) =>
  (text: string): string =>
    swap(rowOf(name, text), rowOf(place, text))(text)

const dropRow =
  (name: string) =>
  (text: string): string =>
    text.replace(rowOf(name, text), '')

const round = 'rounds/plan-round.ts'

/** What somebody who moves the planners could get wrong: each must turn a case red. */
export const reorderings: readonly Reordering[] = [
  {
    name: 'two planners are swapped: Talos rules before Proxmox rules',
    patches: [[round, swapRows('firewall of Talos', 'firewall of the VMs')]],
  },
  {
    name: 'two planners are swapped: Kubernetes is upgraded before Talos',
    patches: [[round, swap('      planUpgrade(draft, observed)\n', '      planKubernetesUpgrade(draft, observed)\n')]],
  },
  {
    name: 'a refusal is moved behind a planner: danger is judged after returned machines are planned',
    patches: [[round, moveBehind('what must be solved first', 'it is undone alone')]],
  },
  {
    name: 'a refusal is moved behind an early return and the planner of etcd: lost majority',
    patches: [[round, moveBehind('a lost majority', 'etcd')]],
  },
  {
    name: 'two refusals are swapped: shrinking disks are repaired before lost marks',
    patches: [
      ['findings/refusals/index.ts', swap('  foreignMark,\n  lostMark,\n', '  otherNetwork,\n  shrinkingDisk,\n')],
    ],
  },
  {
    name: 'an early return is dropped: what a killed run left is undone together with everything else',
    patches: [[round, dropRow('it is undone alone')]],
  },
  {
    name: 'a condition is dropped: nothing waits for the votes that are awaited',
    patches: [[round, drop('round.isVoteAwaited || ')]],
  },
  {
    name: 'a dependency is dropped: etcd is bootstrapped before its machine is reached',
    patches: [
      ['plan/etcd/plan-etcd.ts', drop('    draft.refIfPlanned(reachMachine, { machine: bootstrapMachine }),\n')],
    ],
  },
  {
    name: 'a planner is moved: unwanted machines are removed before nodes and addons are planned',
    patches: [[round, moveBehind('removal', 'etcd')]],
  },
  {
    name: 'a turn is dropped: machines are drained all at once',
    patches: [['plan/disruption.ts', drop(/(?<=drainNode, \{ machine, purpose \}, reason, before), turn/)]],
  },
  {
    name: 'a dependency is dropped: the work does not wait for the drain',
    patches: [['plan/disruption.ts', drop(/(?<=work\(\[\.\.\.before), drained/)]],
  },
  {
    name: 'a planner is moved to the end: Proxmox HA is set before the keys are rotated, and no more',
    patches: [[round, moveBehind('Proxmox HA', 'firewall of the VMs')]],
  },
]
