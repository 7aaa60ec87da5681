import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { described } from '../../tests/support/marks.js'
import { notesOf } from '../../tests/support/plan-notes.js'
import { aViewOf } from '../../tests/support/plan-views.js'
import { afterMishap, aWorld, carriedOut, planOf, specFor, stepName } from '../../tests/support/worlds.js'
import type { Desired } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { planDestroyRound } from '../rounds/plan-destroy.js'
import { withTrial } from '../trial/trial.js'

const hosts = ['pve1', 'pve2', 'pve3']
const size = { cpu: 2, ram: '4GiB', disk: '40G' }

/** A cluster created from the inventory, and then a spec that differs. */
async function afterwards(change: Readonly<Record<string, unknown>>, happened: Partial<ObservedMachine> = {}) {
  const sizing = { control_plane: size, worker: size }
  const before = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts, with: { sizing } }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(before, empty).steps, before(empty), empty)
  const observed: Observed = { ...made, machines: made.machines.map((machine) => ({ ...machine, ...happened })) }
  const spec = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts, with: { sizing, ...change } }))
  return { spec, observed }
}

test.each([
  [{ kubernetes_version: 'v1.35.0' }, /^Kubernetes v1\.36\.\d+ runs, but the inventory has v1\.35\.0/],
  [{ talos_version: 'v1.12.4', kubernetes_version: 'v1.35.0' }, /Talos cannot be downgraded to another minor version/],
  [
    { kubernetes: { dns_domain: 'else.local' } },
    /^The networks of a cluster cannot be changed .* kubernetes\.dns_domain/,
  ],
])(
  'what a living cluster cannot change, or what nobody here knows to change yet, is refused: %o',
  async (change, says) => {
    const { spec, observed } = await afterwards(change)
    expect(() => planOf(spec, observed)).toThrow(says)
  },
)

test('disks grow only as far as their storage has room, and never shrink', async () => {
  const sized = (disk: string) => ({ sizing: { control_plane: { ...size, disk }, worker: { ...size, disk } } })
  const large = await afterwards(sized('9000G'))
  expect(() => planOf(large.spec, large.observed)).toThrow(
    /^The disks of dev-cp-1, dev-wk-1 would grow by 17920 GiB, and local-lvm on pve1 has 4096 GiB left/,
  )
  const small = await afterwards(sized('20G'))
  expect(() => planOf(small.spec, small.observed)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('Disk scsi0 of dev-wk-1 has 40 GiB, but the inventory has 20 GiB.'),
      fix: expect.stringContaining('ichor replace dev-cp-1 dev-wk-1'),
    }),
  )
})

test('from three control planes to one: saved first, one after the other, and only while the one that stays is well', async () => {
  const three = specFor(await anInventory({ controlPlanes: 3, hosts }))
  const one = specFor(await anInventory({ controlPlanes: 1, hosts }))
  const empty = aWorld(hosts)
  const whole = carriedOut(planOf(three, empty).steps, three(empty), empty)
  const plan = planOf(one, whole)
  const { steps } = plan
  const notes = notesOf(plan)
  const saved = steps.find(({ kind }) => kind === 'snapshot-etcd')
  const leaving = steps.filter(({ kind }) => kind === 'drain-node')
  expect(leaving.map(({ machine, turn }) => [machine, turn?.name, turn?.limit])).toEqual([
    ['dev-cp-2', 'controlplane', 1],
    ['dev-cp-3', 'controlplane', 1],
  ])
  for (const { after } of leaving) expect(after).toContain(saved?.id)
  expect(notes).toEqual([
    'etcd goes from 3 members to one, and tolerates no failure from the removal of dev-cp-2 on. A snapshot is taken first.',
  ])
  const two = carriedOut(
    steps.filter(({ machine }) => machine === 'dev-cp-3'),
    one(whole),
    whole,
  )
  expect(
    planOf(one, two)
      .steps.filter(({ kind }) => kind === 'reset-machine')
      .map(({ machine }) => machine),
  ).toEqual(['dev-cp-2'])
  const lost = afterMishap(whole, 'dev-cp-3', 'it does not answer')
  expect(planOf(one, lost).steps.map(({ id }) => stepName(id))).toEqual(
    expect.arrayContaining(['remove-etcd-member:dev-cp-3', 'reset-machine:dev-cp-2']),
  )
  const sick = afterMishap(whole, 'dev-cp-1', 'it does not answer')
  expect(() => planOf(one, sick)).toThrow(
    'Of 3 control planes 1 would remain, less than a majority of 2: all that remain must be healthy in etcd, and 2 of 3 members are healthy.',
  )
})

test('unwanted control planes are removed before etcd exists', async () => {
  const three = specFor(await anInventory({ controlPlanes: 3, hosts }))
  const one = specFor(await anInventory({ controlPlanes: 1, hosts }))
  const empty = aWorld(hosts)
  const { steps } = planOf(three, empty)
  const vms = carriedOut(
    steps.filter(({ kind }) => kind !== 'bootstrap-etcd' && kind !== 'await-kubernetes' && kind !== 'check-health'),
    three(empty),
    empty,
  )
  const bootstrap = planOf(one, vms).steps.find(({ kind }) => kind === 'bootstrap-etcd')
  expect(bootstrap?.after.map(stepName)).toEqual(
    expect.arrayContaining(['delete-machine:dev-cp-2', 'delete-machine:dev-cp-3']),
  )
})

test('what is wanted otherwise and stays as it is, is reported: another host, another storage, a disk fewer', async () => {
  const disk = { scsi1: 'local-lvm:vm-1-disk-1,serial=ichor-scsi1,size=100G' }
  const { spec, observed } = await afterwards({ placement: { pinned: { 'dev-cp-1': 'pve2' } } })
  const machines = observed.machines.map((machine) => ({
    ...machine,
    options: { ...machine.options, ...disk, scsi0: 'old-nfs:vm-1-disk-0,size=40G' },
  }))
  const plan = planOf(spec, { ...observed, machines })
  const { steps } = plan
  const notes = notesOf(plan)
  expect(new Set(steps.map(({ kind }) => kind))).toContain('reconfigure-vm')
  expect(steps.find(({ kind }) => kind === 'reconfigure-vm')?.reason).toBe(
    'disk scsi0 discard=ignore in place of on, ssd=0 in place of 1, needs a restart',
  )
  expect(notes).toEqual([
    'dev-cp-1: on pve1, but the inventory has pve2; existing machines are not moved.',
    'dev-cp-1, dev-wk-1: disk scsi0 is on old-nfs, but the inventory has local-lvm; disks are not moved.',
    'dev-cp-1, dev-wk-1: disk scsi1 (100 GiB) is not in the inventory; it may contain data, so it is kept.',
  ])
})

test('hardware that the inventory does not want any more stays and is reported; a TPM is added with a restart', async () => {
  const [plain, secured] = await Promise.all([
    afterwards({ vm: { serial: false } }),
    afterwards({ vm: { bios: 'ovmf', machine: 'q35', tpm: true } }),
  ])
  const unchanged = planOf(plain.spec, plain.observed)
  expect(unchanged.steps).toEqual([])
  expect(notesOf(unchanged)).toEqual([
    'dev-cp-1, dev-wk-1: serial0 (vm.serial) is no longer in the inventory; it is kept until the machine is replaced.',
  ])
  const restarts = planOf(secured.spec, secured.observed).steps.filter(({ kind }) => kind === 'restart-vm')
  expect(restarts.map(({ args }) => args.keys)).toContainEqual(expect.arrayContaining(['tpmstate0']))
})

test('a detached disk still exists: the plan reports it before an empty one is created', async () => {
  const sizing = { control_plane: size, worker: { ...size, disks: ['100G'] } }
  const { spec, observed } = await afterwards({ sizing })
  const detached = (options: ObservedMachine['options']) => ({ ...options, unused0: 'local-lvm:vm-1-disk-9' })
  const machines = observed.machines.map((machine) => ({ ...machine, options: detached(machine.options) }))
  expect(planOf(spec, { ...observed, machines }).steps[0]).toMatchObject({
    title: 'give dev-wk-1 the disks that it lacks',
    reason: 'it has no scsi1; the new one is empty; to keep the data, attach unused0 first',
  })
})

test('a clone that has lost its system disk gets it from the image, not an empty one', async () => {
  const { spec, observed } = await afterwards({ talos: { boot: 'template' } })
  const bare = observed.machines.map(({ options: { scsi0: _, ...options }, ...machine }) => ({
    ...machine,
    options,
    status: 'stopped' as const,
    talos: { reach: 'off' } as const,
  }))
  const seen = { ...observed, machines: bare.filter(({ name }) => name === 'dev-wk-1') }
  expect(spec(seen).machines.map(({ machine, template }) => [machine.name, template])).toEqual([
    ['dev-cp-1', 'dev-cp-v1-13-9-ce4c98-pve1'],
    ['dev-wk-1', undefined],
  ])
  expect(planOf(spec, seen).steps).toContainEqual(
    expect.objectContaining({ kind: 'resize-disk', args: { machine: 'dev-wk-1', slot: 'scsi0' } }),
  )
})

/** As observed under a misspelt cluster name: proven, and in another pool. */
function inPool({ machines, ...observed }: Observed, pool: string): Observed {
  const unverified = machines.map(({ name, host, vmid }) => {
    const text = `VM ${vmid} on ${host} is marked as ${name}, and is in the pool ${pool} in place of ichor-dev.`
    return { name, host, vmid, pool, because: 'other-pool' as const, holds: name, text }
  })
  return { ...observed, machines: [], unverified }
}

const nothingOf = (desired: Desired): Desired => ({ ...desired, machines: [] })

test('machines under a mistyped name of the cluster are not destroyed', async () => {
  const { spec, observed } = await afterwards({})
  const elsewhere = inPool(observed, 'ichor-prod')
  expect(() => planDestroyRound(nothingOf(spec(observed)), elsewhere, 1)).toThrow(
    /is in the pool ichor-prod, and the machines of/,
  )
})

test('machines of which Proxmox protects one are not destroyed', async () => {
  const { spec, observed } = await afterwards({}, { options: { protection: '1' } })
  expect(() => planDestroyRound(nothingOf(spec(observed)), observed, 1)).toThrow(/are protected in Proxmox/)
})

test('a worker does not become a control plane in place', async () => {
  const { observed } = await afterwards({})
  const named = {
    controlplane: [{ name: 'dev-cp-1' }, { name: 'dev-wk-1' }, { name: 'dev-cp-3' }],
    control_plane_count: 3,
  }
  const spec = specFor(await anInventory({ controlPlanes: 3, hosts, with: named }))
  expect(() => planOf(spec, observed)).toThrow('dev-wk-1 was created as a worker, but is a')
})

test('a machine that responds at an address other than the one in the inventory is not waited for', async () => {
  const talos = { reach: 'silent', reason: 'no answer', elsewhere: '10.0.7.1' } as const
  const { spec, observed } = await afterwards({}, { talos })
  expect(() => planOf(spec, observed)).toThrow('dev-wk-1 has 10.0.7.1, but the inventory has 10.0.7.208.')
})

test('machines of another pool are not worked on either', async () => {
  const { spec, observed } = await afterwards({})
  expect(() => planOf(spec, inPool(observed, 'ichor-prod'))).toThrow(/is in the pool ichor-prod/)
})

test('a network that changes under a machine is proven before its config changes, and only where it answers', async () => {
  const change = { proxmox: { vlan_id: 20 }, talos: { sysctls: { 'vm.swappiness': '10' } } }
  const { spec, observed } = await afterwards(change)
  const { steps } = planOf(spec, observed)
  const config = steps.find(({ kind, machine }) => kind === 'change-config' && machine === 'dev-wk-1')
  const network = steps.find(({ kind, machine }) => kind === 'change-network' && machine === 'dev-wk-1')
  expect(network).toMatchObject({ reason: 'net0 tag unset -> 20' })
  expect(config?.after).toContain(network?.id)
  const silent = await afterwards(change, { talos: { reach: 'silent', reason: 'no answer' } })
  const kinds = planOf(silent.spec, silent.observed).steps.map(({ kind }) => kind)
  expect(kinds).toContain('reconfigure-vm')
  expect(kinds).not.toContain('change-network')
})

test('a trial that was not kept is undone first, and repeated in the next round if the inventory still needs it', async () => {
  const { spec, observed } = await afterwards({ proxmox: { vlan_id: 20 } })
  const tried = observed.machines.map((machine) => {
    const net0 = machine.options.net0 ?? ''
    const trial = { step: 'abc', deadline: new Date(0), before: { net0 } }
    return { ...machine, mark: withTrial(machine.mark, trial), options: { ...machine.options, net0: `${net0},tag=20` } }
  })
  const { steps } = planOf(spec, { ...observed, machines: tried })
  const rounds = (kind: string) => steps.filter((step) => step.kind === kind).map(({ round }) => round)
  expect([rounds('undo-trial'), rounds('change-network')]).toEqual([
    [1, 1],
    [2, 2],
  ])
})

test('what an inventory removes is removed, if ichor has set it: devices and the startup order', async () => {
  const asked = { vm: { startup: 'order=2' } }
  const before = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts, with: asked }))
  const after = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(before, empty).steps, before(empty), empty)
  const noted = (set: string) => ({
    ...made,
    machines: made.machines.map((machine) => ({
      ...machine,
      options: {
        ...machine.options,
        hostpci0: 'mapping=gpu',
        description: described({ ...machine.mark, more: { set } }),
      },
    })),
  })
  const reasonsOf = (observed: Observed) =>
    planOf(after, observed)
      .steps.filter(({ kind }) => kind === 'reconfigure-vm')
      .map(({ reason }) => reason)
  expect(new Set(reasonsOf(noted('startup,hostpci0')))).toEqual(
    new Set(['startup was removed from the inventory, hostpci0 was removed from the inventory, needs a restart']),
  )
  expect(new Set(reasonsOf(noted('startup')))).toEqual(new Set(['startup was removed from the inventory']))
  expect(made.machines[0]?.mark.more?.set).toBe('startup')
})

test('a machine that could not start gets the corrected options before it is started again', async () => {
  const { spec, observed } = await afterwards({ proxmox: { bridge: 'vmbr1' } })
  const machines = observed.machines.map((machine) =>
    machine.name !== 'dev-wk-1'
      ? machine
      : {
          ...machine,
          status: 'stopped' as const,
          talos: { reach: 'off' as const },
          mark: { ...machine.mark, stage: 'making' as const },
        },
  )
  const { steps } = planOf(spec, { ...observed, machines })
  const [set, start] = ['reconfigure-vm', 'start-machine'].map((kind) =>
    steps.find((step) => step.kind === kind && step.machine === 'dev-wk-1'),
  )
  expect(set?.args).toMatchObject({ keys: ['net0'] })
  expect(start?.after).toContain(set?.id)
})

test('the row of a machine names every change with old and new, also what needs no restart beside what does', async () => {
  const bigger = { cpu: 3, ram: '6GiB', disk: '50G' }
  const { spec, observed } = await afterwards({ sizing: { control_plane: size, worker: bigger } })
  const { machines } = aViewOf(planOf(spec, observed), { desired: spec(observed), observed })
  expect(machines).toHaveLength(1)
  expect(machines[0]).toMatchObject({
    name: 'dev-wk-1',
    action: 'change',
    disruptive: true,
    reasons: ['cpu 2 -> 3, ram 4 GiB -> 6 GiB, needs a restart', 'disk scsi0 40 GiB -> 50 GiB, grows in place'],
  })
})

test('a machine that is deleted and made again is a replacement', async () => {
  const { spec, observed } = await afterwards({})
  const replacing = (seen: Observed) => ({
    ...spec(seen),
    cluster: { ...spec(seen).cluster, intent: { replacing: { 'dev-wk-1': 'r1' } } },
  })
  const { machines } = aViewOf(planOf(replacing, observed), { desired: replacing(observed), observed })
  expect(machines.map(({ name, action }) => ({ name, action }))).toEqual([{ name: 'dev-wk-1', action: 'replace' }])
})
