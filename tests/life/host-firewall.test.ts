import { beforeAll, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import {
  aStanding,
  badHosts,
  badVms,
  fromStanding,
  goodHosts,
  goodVms,
  hostFirewallOf,
  operator,
  type Standing,
  switchOn,
  useOwnToken,
} from '../support/firewall-stories.js'
import type { Stage } from '../support/lab.js'
import { notesOf } from '../support/plan-notes.js'

let standing: Standing
beforeAll(async () => {
  standing = await aStanding()
})

const host = '10.0.10.1'
const nothing = { enable: '0', state: 'none', rules: 0, management: [] }

async function hostSteps(stage: Stage): Promise<string[]> {
  const { plan } = await stage.plan()
  return plan.steps.filter(({ kind }) => /host-firewall|managers/.test(kind)).map(({ kind }) => kind)
}

test('the firewall of the datacenter is enabled once the operator is let in, and nobody else; destroy disables it', async () => {
  await fromStanding(standing, goodHosts, async (stage) => {
    const { plan } = await stage.plan()
    expect(notesOf(plan)).toEqual([
      'Enabling the firewall of the Proxmox datacenter filters no other VM that this token can see.',
    ])
    expect(await hostSteps(stage)).toEqual(['prepare-host-firewall', 'enable-host-firewall'])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    const enabled = { enable: '1', state: 'hosts, firewall enabled', rules: 1, management: ['10.99.0.0/24', host] }
    expect(hostFirewallOf(stage)).toEqual(enabled)
    const reached = (from: string, port: number) => stage.lab.network.canConnect(from, host, port)
    expect([reached(operator, 8006), reached(operator, 111), reached('10.98.0.1', 8006)]).toEqual([true, false, false])
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
    await stage.destroy()
    expect(hostFirewallOf(stage)).toEqual(nothing)
  })
})

test('a policy that locks the operator out is rolled back over the connection that stayed open', async () => {
  await fromStanding(standing, badHosts, async (stage) => {
    await expect(stage.up()).rejects.toThrow(
      /^enable the firewall of the Proxmox datacenter.*: The change was rolled back: /,
    )
    expect(hostFirewallOf(stage)).toMatchObject({ enable: '0', state: 'hosts' })
    await stage.write('cluster.yaml', badVms.replace('enabled: true', 'enabled: false'))
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostFirewallOf(stage)).toEqual(nothing)
  })
})

test('what others have set stays: their switch, their entries, their rules; their VMs are named before they are filtered', async () => {
  await fromStanding(standing, goodHosts, async (stage) => {
    const { world, signal, wait } = await byHand(stage)
    const { firewall, machines } = world.proxmox
    const cluster = { kind: 'cluster' } as const
    await firewall.createIpset(cluster, 'management', 'theirs', signal)
    await firewall.addIpsetEntry(cluster, 'management', { cidr: '172.16.0.0/12', comment: 'theirs' }, signal)
    const rule = { type: 'in', action: 'ACCEPT', enabled: true, match: { proto: 'tcp', dport: '9100' } } as const
    await firewall.addRule(cluster, rule, signal)
    const vm = { host: 'pve1', vmid: 700 }
    const options = { name: 'database', memory: 512, net0: 'virtio,bridge=vmbr0,firewall=1' }
    await wait(machines.create(vm, options, signal))
    await firewall.setOptions({ kind: 'vm', vm }, { set: { enable: '1' } }, signal)
    expect(notesOf((await stage.plan()).plan).join()).toContain('VMs outside this cluster: database (VM 700).')
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostFirewallOf(stage).management).toEqual(['172.16.0.0/12', '10.99.0.0/24', host])
    await stage.write('cluster.yaml', goodVms)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostFirewallOf(stage)).toEqual({ enable: '0', state: 'none', rules: 1, management: ['172.16.0.0/12'] })
    const theirs = ['172.16.0.0/12', '10.99.0.0/24']
    await firewall.addIpsetEntry(cluster, 'management', { cidr: '10.99.0.0/24', comment: 'theirs' }, signal)
    await switchOn(stage)
    await stage.write('cluster.yaml', goodHosts)
    expect(notesOf((await stage.plan()).plan).join()).toContain('already enabled, not by ichor')
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
    expect(hostFirewallOf(stage)).toEqual({ enable: '1', state: 'none', rules: 1, management: theirs })
  })
})

test('a network that leaves the policy loses its access only if the operator keeps his', async () => {
  const both = goodHosts.replace('[10.99.0.0/24]', '[10.99.0.0/24, 10.97.0.0/24]')
  await fromStanding(standing, both, async (stage) => {
    await stage.up()
    await stage.write('cluster.yaml', goodHosts)
    expect(await hostSteps(stage)).toEqual(['drop-managers'])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostFirewallOf(stage).management).toEqual(['10.99.0.0/24', host])
  })
})

test('a network that leaves the policy and that the operator comes from gets its access back, and is tried again', async () => {
  await fromStanding(standing, goodHosts, async (stage) => {
    await stage.up()
    await stage.write('cluster.yaml', badHosts)
    await expect(stage.up()).rejects.toThrow(
      /^remove 10.99.0.0\/24 from the IP set management.*: The change was rolled back: /,
    )
    expect(hostFirewallOf(stage).management).toEqual([host, '10.98.0.0/24', '10.99.0.0/24'])
    expect(await hostSteps(stage)).toEqual(['drop-managers'])
    await stage.write('cluster.yaml', goodHosts)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostFirewallOf(stage).management).toEqual([host, '10.99.0.0/24'])
  })
})

test('the token that access makes suffices, beside what access writes and removes itself', async () => {
  await fromStanding(standing, goodHosts, async (stage) => {
    const removeAccess = await useOwnToken(stage)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostFirewallOf(stage)).toMatchObject({ enable: '1', state: 'hosts, firewall enabled' })
    await stage.destroy()
    await removeAccess()
    expect(hostFirewallOf(stage)).toEqual(nothing)
  })
})
