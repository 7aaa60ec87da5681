import { beforeAll, expect, test } from 'vitest'
import { grantAccess, planAccess } from '../../src/access/access-plan.js'
import { aTokenHome } from '../../src/access/testing.js'
import { byHand } from '../support/by-hand.js'
import {
  aStanding,
  badVms,
  fromStanding,
  goodVms,
  hostWalls,
  operator,
  type Standing,
  switchOn,
} from '../support/firewall-stories.js'
import type { Stage } from '../support/lab.js'

let standing: Standing
beforeAll(async () => {
  standing = await aStanding()
})

const good = `${goodVms}  hosts: true\n`
const bad = `${badVms}  hosts: true\n`
const host = '10.0.10.1'
const nothing = { enable: '0', state: 'none', rules: 0, management: [] }

async function hostSteps(stage: Stage): Promise<string[]> {
  const { plan } = await stage.plan()
  return plan.steps.filter(({ kind }) => /host-firewall|managers/.test(kind)).map(({ kind }) => kind)
}

test('the firewall of the datacentre is enabled once the operator is let in, and nobody else; destroy disables it', async () => {
  await fromStanding(standing, good, async (stage) => {
    const { plan } = await stage.plan()
    expect(plan.notes).toEqual([
      'Enabling the firewall of the Proxmox datacentre filters no other VM that this token can see.',
    ])
    expect(await hostSteps(stage)).toEqual(['prepare-host-firewall', 'enable-host-firewall'])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    const walls = { enable: '1', state: 'hosts, firewall enabled', rules: 1, management: ['10.99.0.0/24', host] }
    expect(hostWalls(stage)).toEqual(walls)
    const reached = (from: string, port: number) => stage.lab.network.canConnect(from, host, port)
    expect([reached(operator, 8006), reached(operator, 111), reached('10.98.0.1', 8006)]).toEqual([true, false, false])
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
    await stage.destroy()
    expect(hostWalls(stage)).toEqual(nothing)
  })
})

test('a policy that locks the operator out is taken back over the connection that stayed open', async () => {
  await fromStanding(standing, bad, async (stage) => {
    await expect(stage.up()).rejects.toThrow(/^enable the firewall of the Proxmox datacentre.*: It was taken back: /)
    expect(hostWalls(stage)).toMatchObject({ enable: '0', state: 'hosts' })
    await stage.write('cluster.yaml', badVms.replace('enabled: true', 'enabled: false'))
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostWalls(stage)).toEqual(nothing)
  })
})

test('what others have set stays: their switch, their entries, their rules; their VMs are named before they are filtered', async () => {
  await fromStanding(standing, good, async (stage) => {
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
    expect((await stage.plan()).plan.notes.join()).toContain('VMs outside this cluster: database (VM 700).')
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostWalls(stage).management).toEqual(['172.16.0.0/12', '10.99.0.0/24', host])
    await stage.write('cluster.yaml', goodVms)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostWalls(stage)).toEqual({ enable: '0', state: 'none', rules: 1, management: ['172.16.0.0/12'] })
    const theirs = ['172.16.0.0/12', '10.99.0.0/24']
    await firewall.addIpsetEntry(cluster, 'management', { cidr: '10.99.0.0/24', comment: 'theirs' }, signal)
    await switchOn(stage)
    await stage.write('cluster.yaml', good)
    expect((await stage.plan()).plan.notes.join()).toContain('already enabled, not by ichor')
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
    expect(hostWalls(stage)).toEqual({ enable: '1', state: 'none', rules: 1, management: theirs })
  })
})

test('a network that leaves the policy loses its access only if the operator keeps his', async () => {
  const both = good.replace('[10.99.0.0/24]', '[10.99.0.0/24, 10.97.0.0/24]')
  await fromStanding(standing, both, async (stage) => {
    await stage.up()
    await stage.write('cluster.yaml', good)
    expect(await hostSteps(stage)).toEqual(['drop-managers'])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostWalls(stage).management).toEqual(['10.99.0.0/24', host])
  })
})

test('the token that access makes for this inventory suffices for it', async () => {
  await fromStanding(standing, good, async (stage) => {
    const signal = new AbortController().signal
    const { world, close } = await stage.connect()
    const plan = await planAccess(world.proxmox, await stage.inventory(), [], signal)
    const how = { renew: false, prove: async () => true, homeOf: () => aTokenHome(), signal }
    const { tokens } = await grantAccess(world.proxmox, plan, how)
    await close()
    Object.assign(stage.lab.proxmox, { tokenId: tokens[0]?.shown?.id, tokenSecret: tokens[0]?.shown?.secret })
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(hostWalls(stage)).toMatchObject({ enable: '1', state: 'hosts, firewall enabled' })
    await stage.destroy()
    expect(hostWalls(stage)).toEqual(nothing)
  })
})
