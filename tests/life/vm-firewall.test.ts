import { beforeAll, expect, test } from 'vitest'
import {
  aStanding,
  badVms,
  fromStanding,
  goodVms,
  groupsIn,
  operator,
  probingNodes,
  type Standing,
  switchOn,
  useOwnToken,
  vmRulesOf,
  withFirewall,
} from '../support/firewall-stories.js'
import { notesOf } from '../support/plan-notes.js'

let standing: Standing
beforeAll(async () => {
  standing = await aStanding()
})

const machines = ['dev-cp-1', 'dev-wk-1']
const filteredVm = { groups: 1, enable: '1', isTried: false, nic: true }
const openVm = { groups: 0, enable: undefined, isTried: false, nic: true }

test('rules on VMs are tried until they hold, proven and kept; a changed policy replaces them, and destroy leaves nothing', async () => {
  await fromStanding(standing, goodVms, async (stage) => {
    await switchOn(stage)
    const { plan } = await stage.plan()
    expect(notesOf(plan)).toEqual([])
    expect(plan.steps.filter(({ kind }) => /firewall/.test(kind)).map(({ kind }) => kind)).toEqual([
      'set-firewall-group',
      'set-vm-firewall',
      'set-firewall-group',
      'set-vm-firewall',
    ])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(machines.map((name) => vmRulesOf(stage, name))).toEqual([filteredVm, filteredVm])
    expect(groupsIn(stage)).toEqual({ groups: 2, ipsets: 6 })
    const reached = (from: string, port: number) => stage.lab.network.canConnect(from, '10.0.10.10', port)
    expect([reached(operator, 6443), reached(operator, 2380), reached('10.98.0.1', 6443)]).toEqual([true, false, false])
    expect(reached('10.0.10.20', 2380)).toBe(true)
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
    await stage.write('cluster.yaml', `${goodVms}  open_ports:\n    - port: 443\n`)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(machines.map((name) => vmRulesOf(stage, name))).toEqual([filteredVm, filteredVm])
    expect(groupsIn(stage)).toEqual({ groups: 2, ipsets: 6 })
    await stage.destroy()
    expect(groupsIn(stage)).toEqual({ groups: 0, ipsets: 0 })
  })
})

test('rules on a VM that cut the operator off are rolled back, and the run says why', async () => {
  await fromStanding(standing, badVms, async (stage) => {
    await switchOn(stage)
    await expect(stage.up()).rejects.toThrow(/^set the firewall of the VM of dev-cp-1.*: The change was rolled back: /)
    expect(machines.map((name) => vmRulesOf(stage, name))).toEqual([openVm, openVm])
  })
})

test('rules on a VM under which another node does not reach it are rolled back, and the probes of that node are gone', async () => {
  await fromStanding(standing, goodVms, async (stage) => {
    await switchOn(stage)
    stage.lab.network.filters.add(
      ({ to, port, isNew }) =>
        !(isNew && port === 50_001 && to === '10.0.10.10' && vmRulesOf(stage, 'dev-cp-1').enable === '1'),
    )
    await expect(stage.up()).rejects.toThrow(
      /The change was rolled back: .*dev-wk-1 does not reach 10\.0\.10\.10:50001/,
    )
    expect(machines.map((name) => vmRulesOf(stage, name))).toEqual([openVm, openVm])
    expect(probingNodes(stage)).toEqual([])
  })
})

test('while the firewall of the datacenter is off, the plan says that rules do nothing; switched off, they go', async () => {
  await fromStanding(standing, badVms, async (stage) => {
    const { plan } = await stage.plan()
    expect(notesOf(plan).join()).toContain('The firewall of the Proxmox datacenter is off')
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(machines.map((name) => vmRulesOf(stage, name))).toEqual([filteredVm, filteredVm])
    await stage.write('cluster.yaml', withFirewall('  enabled: false\n'))
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(machines.map((name) => vmRulesOf(stage, name))).toEqual([openVm, openVm])
    expect(groupsIn(stage)).toEqual({ groups: 0, ipsets: 0 })
  })
})

test('rules, groups and IP sets of others stay', async () => {
  await fromStanding(standing, goodVms, async (stage) => {
    const { world, close } = await stage.connect()
    const signal = new AbortController().signal
    const { firewall } = world.proxmox
    await firewall.createGroup('ichor-000000000000', 'somebody else', signal)
    const { observed } = await stage.plan()
    const [vm] = observed.machines
    if (vm === undefined) throw new Error('there is no machine')
    const theirs = { type: 'in', action: 'ACCEPT', enabled: true, match: { proto: 'tcp', dport: '22' } } as const
    await firewall.addRule({ kind: 'vm', vm }, theirs, signal)
    await stage.up()
    await stage.write('cluster.yaml', withFirewall('  enabled: false\n'))
    await stage.up()
    expect((await firewall.groups(signal)).map(({ name }) => name)).toEqual(['ichor-000000000000'])
    expect((await firewall.rules({ kind: 'vm', vm }, signal)).rules).toEqual([theirs])
    await close()
  })
})

test('the token that access makes suffices, beside what access writes and removes itself', async () => {
  await fromStanding(standing, goodVms, async (stage) => {
    await switchOn(stage)
    const removeAccess = await useOwnToken(stage)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(machines.map((name) => vmRulesOf(stage, name))).toEqual([filteredVm, filteredVm])
    await stage.destroy()
    await removeAccess()
    expect(groupsIn(stage)).toEqual({ groups: 0, ipsets: 0 })
  })
})
