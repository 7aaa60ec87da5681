import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { notesOf } from '../../tests/support/plan-notes.js'
import {
  afterMishap,
  aWorld,
  carriedOut,
  type Mishap,
  planOf,
  specFor,
  stepName,
  stepNames,
} from '../../tests/support/worlds.js'
import { ifSeen, seen } from '../cluster/seen.js'
import type { PlanRefused } from '../errors.js'
import type { Observed, UnverifiedVm } from '../observe/observed.js'
import { planDestroyRound } from '../rounds/plan-destroy.js'
import { lossesOf } from './plan.js'

const hosts = ['pve1', 'pve2', 'pve3']
const loadSpec = async (controlPlanes: number, workers: number, more: Readonly<Record<string, unknown>> = {}) =>
  specFor(await anInventory({ controlPlanes, workers, hosts, with: more }))

/** An existing cluster, and what has happened to its machines since. */
async function aCluster(controlPlanes: number, workers: number, ...happened: readonly [string, Mishap][]) {
  const spec = await loadSpec(controlPlanes, workers)
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  return { spec, observed: happened.reduce((before, [name, what]) => afterMishap(before, name, what), made) }
}

const namesIn = (plan: ReturnType<typeof planOf>) => stepNames(plan.steps)
const unverified = (because: UnverifiedVm['because'], more: Partial<UnverifiedVm> = {}): UnverifiedVm => ({
  host: 'pve1',
  vmid: 2000,
  because,
  text: 'VM 2000 has the UUID or MAC of dev-cp-1 but no ichor mark.',
  ...more,
})

test('without secrets they are made first; where VMs of the cluster are there, that is refused', async () => {
  const spec = await loadSpec(1, 1)
  const observed: Observed = { ...aWorld(hosts), secrets: { present: false, bootstrapped: false, sealed: false } }
  const { steps } = planOf(spec, observed)
  const waitsOf = (kind: string) => steps.filter((step) => step.kind === kind).flatMap(({ after }) => after)
  expect(steps[0]?.kind).toBe('make-secrets')
  expect(new Set(waitsOf('claim-machine'))).toEqual(new Set(['make-secrets']))
  expect(waitsOf('fetch-image'), 'images are downloaded meanwhile').toEqual([])
  const marked = { ...observed, unverified: [unverified('no-secrets')] }
  expect(() => planOf(spec, marked)).toThrow(
    'VM 2000 belongs to this cluster, or to another one with its name, and the secrets are missing.',
  )
})

test('a machine that lost its mark is neither worked on nor made again', async () => {
  const { spec, observed } = await aCluster(1, 1, ['dev-cp-1', 'it is gone'])
  const lost = { ...observed, unverified: [unverified('mark-lost', { holds: 'dev-cp-1' })] }
  expect(() => planOf(spec, lost)).toThrow('VM 2000 has the UUID or MAC of dev-cp-1 but no ichor mark.')
})

// Seen: `ichor status` of a cluster that Terraform made advised to delete its VMs, which were running.
test('a VM that runs may be in use: its deletion is never advised, and its leftover is', async () => {
  const { spec, observed } = await aCluster(1, 1, ['dev-cp-1', 'it is gone'])
  const fixOf = (more: { isOff?: boolean }) => {
    const lost = { ...observed, unverified: [unverified('mark-lost', { holds: 'dev-cp-1', ...more })] }
    try {
      return String(planOf(spec, lost))
    } catch (error) {
      return (error as PlanRefused).fix
    }
  }
  expect(fixOf({})).not.toContain('delete')
  expect(fixOf({})).toContain('leave it as it is')
  expect(fixOf({})).toContain('ichor adopt takes its cluster over')
  expect(fixOf({ isOff: true })).toContain('or delete the VM')
})

test('a machine is not made while a copy of it has its UUID or MAC', async () => {
  const { spec, observed } = await aCluster(1, 1, ['dev-wk-1', 'it is gone'])
  const copied = { ...observed, unverified: [unverified('copy', { vmid: 7000, holds: 'dev-wk-1' })] }
  expect(() => planOf(spec, copied)).toThrow('VM 7000 on pve1 already has its UUID or MAC')
})

test('a machine that Kubernetes knows is not recreated while a hidden guest has its VMID', async () => {
  const hidden = (observed: Observed) => ({
    ...observed,
    proxmox: { ...observed.proxmox, hidden: [{ vmid: 100_000, machine: 'dev-wk-1' }] },
  })
  const { spec, observed } = await aCluster(1, 1, ['dev-wk-1', 'it is gone'])
  expect(() => planOf(spec, hidden(observed))).toThrow('dev-wk-1 may still be there: VMID 100000 has a guest')
  const fresh = hidden(aWorld(hosts))
  expect(notesOf(planOf(spec, fresh))).toEqual([
    'VMID 100000 is used by a guest that this token cannot see: the next free one is used.',
  ])
  expect(spec(fresh).machines.map(({ vmid }) => vmid)).toEqual([2000, 100_001])
})

test.each([
  { protect: true, isRefused: true },
  { protect: ['dev-wk-1'], isRefused: false },
  { protect: 'control_plane', isRefused: false },
  { protect: ['control_plane'], isRefused: false },
  { protect: ['workers'], isRefused: true },
])('a worker that would go under protect: $protect is refused: $isRefused', async ({ protect, isRefused }) => {
  const { observed } = await aCluster(1, 2)
  const fewer = await loadSpec(1, 1, { protect })
  if (isRefused) expect(() => planOf(fewer, observed)).toThrow('dev-wk-2 would be deleted, and is protected.')
  else expect(namesIn(planOf(fewer, observed))).toContain('delete-machine:dev-wk-2')
})

test('a pool is protected whatever its size, also a worker with a name of its own, once it leaves the inventory', async () => {
  const { observed } = await aCluster(1, 2)
  const renamed = (name: string, more: object = {}) => ({
    ...observed,
    machines: observed.machines.map((machine) =>
      machine.name === 'dev-wk-2'
        ? {
            ...machine,
            name,
            mark: { ...machine.mark, node: name, ...more },
            options: { ...machine.options, protection: '1' },
          }
        : machine,
    ),
  })
  const set = { more: { set: 'protection' } }
  const pools = [
    { name: 'storage', count: 0, protect: true },
    { name: 'web', count: 0 },
  ]
  const refused = await loadSpec(1, 1, { worker_pools: pools })
  expect(() => planOf(refused, renamed('dev-storage-1', set))).toThrow(
    'dev-storage-1 would be deleted, and is protected.',
  )
  expect(() => planOf(refused, renamed('ceph-a', set))).toThrow('ceph-a would be deleted, and is protected.')
  expect(namesIn(planOf(refused, renamed('dev-web-1', set)))).toContain('delete-machine:dev-web-1')
  const open = await loadSpec(1, 1, { worker_pools: [{ name: 'web', count: 0 }], protect: ['dev-wk-1'] })
  expect(namesIn(planOf(open, renamed('ceph-a', set)))).toContain('delete-machine:ceph-a')
})

test('a machine that somebody protected while it was created is refused before its seed is in it', async () => {
  const { spec, observed } = await aCluster(1, 1)
  const machines = observed.machines.map((machine) =>
    machine.name === 'dev-wk-1'
      ? {
          ...machine,
          mark: { ...machine.mark, stage: 'making' as const },
          options: { ...machine.options, protection: '1' },
        }
      : machine,
  )
  expect(() => planOf(spec, { ...observed, machines })).toThrow(/^dev-wk-1 \(VM \d+\) is protected in Proxmox\.$/)
})

test('an etcd that was made once is never made again, unless it is given up', async () => {
  const { spec, observed } = await aCluster(1, 1, ['dev-cp-1', 'it is gone'])
  expect(() => planOf(spec, observed)).toThrow('A new, empty etcd would lose everything.')
  const givenUp = (now: Observed) => ({ ...spec(now), cluster: { ...spec(now).cluster, intent: { newEtcd: true } } })
  expect(planOf(givenUp, observed).steps.find(({ kind }) => kind === 'bootstrap-etcd')?.reason).toContain('EMPTY')
})

test('a control plane that is only switched off may hold etcd: it is started before anything is decided', async () => {
  const { spec, observed } = await aCluster(1, 1, ['dev-cp-1', 'it was switched off'])
  expect(namesIn(planOf(spec, observed))).toContain('start-machine:dev-cp-1')
  expect(namesIn(planOf(spec, observed))).not.toContain('bootstrap-etcd:dev-cp-1')
})

test('a lost member leaves etcd through a majority of the others, and not without one', async () => {
  const one = await aCluster(3, 0, ['dev-cp-3', 'it is gone'])
  expect(namesIn(planOf(one.spec, one.observed))).toContain('remove-etcd-member:dev-cp-3')
  const two = await aCluster(3, 0, ['dev-cp-3', 'it is gone'], ['dev-cp-2', 'it does not answer'])
  expect(() => planOf(two.spec, two.observed)).toThrow('1 of 3 members are healthy, 2 are needed')
})

test('a member that is only off is started before a lost one leaves, and the majority is counted then', async () => {
  const { spec, observed } = await aCluster(3, 0, ['dev-cp-3', 'it is gone'], ['dev-cp-1', 'it was switched off'])
  const { steps } = planOf(spec, leaderless(observed))
  const roundOf = (name: string) => steps.find(({ id }) => stepName(id) === name)?.round ?? Number.NaN
  expect(roundOf('remove-etcd-member:dev-cp-3')).toBeGreaterThan(roundOf('start-machine:dev-cp-1'))
  expect(roundOf('claim-machine:dev-cp-3')).toBeGreaterThan(roundOf('start-machine:dev-cp-1'))
})

test('so is one whose address only DHCP knows, and which is the endpoint', async () => {
  const spec = await loadSpec(3, 0, { network: { mode: 'dhcp' } })
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  const known = {
    ...made,
    machines: made.machines.map((machine, at) => ({ ...machine, address: `10.0.10.${at + 1}` })),
  }
  const without = afterMishap(afterMishap(known, 'dev-cp-3', 'it is gone'), 'dev-cp-1', 'it was switched off')
  const machines = without.machines.map(({ address, ...machine }) =>
    machine.name === 'dev-cp-1' || address === undefined ? machine : { ...machine, address },
  )
  const { steps } = planOf(spec, leaderless({ ...without, machines }))
  const roundOf = (name: string) => steps.find(({ id }) => stepName(id) === name)?.round ?? Number.NaN
  expect(roundOf('reach-machine:dev-cp-1')).toBe(roundOf('learn-address:dev-cp-1'))
  expect(roundOf('remove-etcd-member:dev-cp-3')).toBeGreaterThan(roundOf('start-machine:dev-cp-1'))
})

test('control planes that leave are started if etcd needs their votes for that, and those that stay vote with them', async () => {
  const { observed } = await aCluster(3, 0, ['dev-cp-2', 'it is gone'], ['dev-cp-3', 'it was switched off'])
  const { steps } = planOf(await loadSpec(1, 0), leaderless(observed))
  const roundOf = (name: string) => steps.find(({ id }) => stepName(id) === name)?.round ?? Number.NaN
  expect(roundOf('delete-machine:dev-cp-3')).toBeGreaterThan(roundOf('start-machine:dev-cp-3'))
})

test('an etcd whose lost members are wanted no more is called lost as well, in place of a wait for Kubernetes', async () => {
  const lost = ['dev-cp-2', 'dev-cp-3'].map((name): [string, Mishap] => [name, 'it is gone'])
  const { observed } = await aCluster(3, 0, ...lost)
  const one = await loadSpec(1, 0)
  expect(() => planOf(one, leaderless(observed))).toThrow(
    'dev-cp-2, dev-cp-3 are gone, and etcd has lost its majority: 0 of 3 members are healthy, 2 are needed.',
  )
})

test('no control plane is called gone that is off under a name that etcd does not know, or whose VM lost its mark', async () => {
  const { spec, observed } = await aCluster(
    3,
    0,
    ['dev-cp-3', 'it was switched off'],
    ['dev-cp-2', 'it was switched off'],
  )
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined) throw new Error('etcd is there')
  const members = etcd.members.map((member) => ({ ...member, hostname: `host-of-${member.hostname}`, peerUrls: [] }))
  const renamed = { ...observed, etcd: seen({ ...etcd, members, owners: { 'dev-cp-1': 'dev-cp-1' }, healthy: [] }) }
  expect(namesIn(planOf(spec, renamed))).toContain('start-machine:dev-cp-3')
  const lost = ['dev-cp-2', 'dev-cp-3'].map((name): [string, Mishap] => [name, 'it is gone'])
  const { observed: without } = await aCluster(3, 0, ...lost)
  const unmarked = { ...leaderless(without), unverified: [unverified('mark-lost', { name: 'dev-cp-3' })] }
  const one = await loadSpec(1, 0)
  expect(() => planOf(one, unmarked)).not.toThrow('has lost its majority')
})

/** The members that run have no majority, so that none of them has a leader. */
function leaderless(observed: Observed): Observed {
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined) throw new Error('etcd is there')
  return { ...observed, etcd: seen({ ...etcd, healthy: [] }) }
}

test('a running member does not leave while one that stays is unhealthy; one that is only off is started first', async () => {
  const three = await loadSpec(3, 0)
  const { observed: five } = await aCluster(5, 0)
  const etcd = ifSeen(five.etcd)
  if (etcd === undefined) throw new Error('etcd is there')
  const sick = { ...five, etcd: seen({ ...etcd, healthy: etcd.healthy.filter((id) => id !== 'dev-cp-1') }) }
  expect(() => planOf(three, sick)).toThrow('dev-cp-4 cannot leave while dev-cp-1 is not healthy in etcd.')
  const off = await aCluster(5, 0, ['dev-cp-1', 'it was switched off'])
  const { steps } = planOf(three, off.observed)
  const roundOf = (kind: string, name: string) =>
    steps.find((step) => step.kind === kind && step.machine === name)?.round
  expect(roundOf('start-machine', 'dev-cp-1')).toBe(1)
  expect(roundOf('reset-machine', 'dev-cp-4')).toBe(2)
})

test('a lost member leaves before one that lives', async () => {
  const lost = await aCluster(5, 0, ['dev-cp-5', 'it was switched off'])
  const { steps } = planOf(await loadSpec(3, 0), lost.observed)
  const removed = steps.find(({ kind, machine }) => kind === 'remove-etcd-member' && machine === 'dev-cp-5')
  const drained = steps.find(({ kind, machine }) => kind === 'drain-node' && machine === 'dev-cp-4')
  expect(drained?.after).toContain(removed?.id)
})

test('without a majority of etcd nothing is judged while its members stand on hosts that do not answer', async () => {
  const away = ['dev-cp-1', 'dev-cp-2'].map((holds, index) => unverified('away', { vmid: 2000 + index, holds }))
  const one = await aCluster(3, 0, ['dev-cp-1', 'it is gone'])
  expect(planOf(one.spec, { ...one.observed, unverified: away.slice(0, 1) })).toMatchObject({
    steps: [],
    away: ['dev-cp-1'],
  })
  const two = await aCluster(3, 0, ['dev-cp-1', 'it is gone'], ['dev-cp-2', 'it is gone'])
  expect(() => planOf(two.spec, { ...two.observed, unverified: away })).toThrow(
    'etcd has no majority without dev-cp-1, dev-cp-2, and pve1 cannot be reached.',
  )
})

test('of a lost machine the node goes that has its UUID, and none that only has its name', async () => {
  const { spec, observed } = await aCluster(1, 1, ['dev-wk-1', 'it is gone'])
  expect(namesIn(planOf(spec, observed))).toContain('delete-node:dev-wk-1')
  const kubernetes = ifSeen(observed.kubernetes)
  if (kubernetes === undefined) throw new Error('Kubernetes was seen')
  const nodes = kubernetes.nodes.map((node) => ({ ...node, systemUuid: `other-${node.name}` }))
  const elsewhere = { ...observed, kubernetes: seen({ ...kubernetes, nodes }) }
  expect(namesIn(planOf(spec, elsewhere))).not.toContain('delete-node:dev-wk-1')
})

test('a cordon of our interrupted run is removed, any other stays', async () => {
  const { spec, observed } = await aCluster(1, 1, ['dev-wk-1', 'it is cordoned'])
  expect(namesIn(planOf(spec, observed))).toContain('uncordon-node:dev-wk-1')
  const machines = observed.machines.map(({ node, ...machine }) => ({
    ...machine,
    ...(node === undefined ? {} : { node: { ...node, annotations: {} } }),
  }))
  expect(namesIn(planOf(spec, { ...observed, machines }))).toEqual([])
})

test('disks of data are listed where their machine goes, attached or not; the system disk and media are not', async () => {
  const { observed } = await aCluster(1, 2)
  const machines = observed.machines.map((machine) =>
    machine.name === 'dev-wk-2'
      ? {
          ...machine,
          options: {
            ...machine.options,
            scsi1: 'local-lvm:vm-1-disk-1,size=100G',
            scsi5: 'local-lvm:pvc-1,size=8G',
            unused0: 'local-lvm:vm-1-disk-9',
            ide2: 'local:iso/rescue.iso,media=cdrom',
          },
        }
      : machine,
  )
  const plan = planOf(await loadSpec(1, 1), { ...observed, machines })
  expect(lossesOf(plan)).toEqual(['disk scsi1 (100 GiB), disk scsi5 (8 GiB), disk unused0 of dev-wk-2'])
})

test('a destruction is refused where the inventory protects a machine that is there', async () => {
  const { spec, observed } = await aCluster(1, 1)
  const nothing = (protect: readonly string[]) => {
    const { cluster, ...rest } = spec(observed)
    return { ...rest, machines: [], cluster: { ...cluster, protect } }
  }
  const isRefused = () => planDestroyRound(nothing(['dev-cp-1']), observed, 1)
  expect(isRefused).toThrow('dev-cp-1 would be deleted, and is protected.')
  expect(planDestroyRound(nothing(['dev-cp-7']), observed, 1).map(({ kind }) => kind)).toContain('remove-pool')
})

test('a destruction is refused while a machine stands on a host that does not answer', async () => {
  const { spec, observed } = await aCluster(1, 1)
  const away = { ...observed, unverified: [unverified('away', { vmid: 3000, holds: 'dev-wk-1' })] }
  expect(() => planDestroyRound(spec(away), away, 1)).toThrow('VM 3000 would stay behind: pve1 does not answer.')
})

test('a destruction takes machines and templates away, forgets etcd, and the pool goes last', async () => {
  const { spec, observed } = await aCluster(1, 1)
  const [first] = observed.machines
  if (first === undefined) throw new Error('two were made')
  const template = { name: 'dev-template', host: 'pve1', vmid: 998, mark: first.mark, isSealed: true, isReady: true }
  const steps = planDestroyRound(spec(observed), { ...observed, templates: [template] }, 1)
  const deleted = ['dev-cp-1', 'dev-wk-1', 'dev-template'].map((name) => `delete-machine:${name}`)
  expect(stepNames(steps)).toEqual(expect.arrayContaining([...deleted, 'forget-etcd', 'remove-pool']))
  expect(steps.find(({ kind }) => kind === 'remove-pool')?.after.map(stepName)).toEqual(expect.arrayContaining(deleted))
  expect(steps.find(({ id }) => stepName(id) === 'delete-machine:dev-wk-1')?.after.map(stepName)).toEqual([
    'stop-machine:dev-wk-1',
  ])
})
