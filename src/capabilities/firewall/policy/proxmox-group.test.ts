import { expect, test } from 'vitest'
import { anInventory } from '../../../../tests/support/inventories.js'
import { firewallPolicy } from './policy.js'
import { proxmoxGroup } from './proxmox-group.js'

async function groupOf(firewall: object = {}, role: 'controlplane' | 'worker' = 'controlplane') {
  const network = { cidr: '10.0.10.0/24', gateway: '10.0.10.1', pod_cidr: '10.244.0.0/16' }
  const all = { enabled: true, admin_networks: ['192.168.7.0/24'], default_deny: true, ...firewall }
  const { settings } = await anInventory({ with: { network, firewall: all } })
  return proxmoxGroup(firewallPolicy(settings, role), 'ichor: dev 0123')
}

function lines({ name, rules }: Awaited<ReturnType<typeof groupOf>>): string[] {
  return rules.map(({ action, match: { proto = 'any', dport = '', source = 'all', dest = '' } }) =>
    [action, proto, dport, source, dest]
      .filter((part) => part !== '')
      .join(' ')
      .replaceAll(name, 'G'),
  )
}

test('a group names the people, the nodes and the pods by IP sets, and opens what they may reach', async () => {
  const group = await groupOf()
  expect(group.name).toMatch(/^ichor-[0-9a-f]{12}$/)
  expect(group.ipsets.map(({ name, entries }) => [name.replace(group.name, 'G'), ...entries])).toEqual([
    ['G-admins', '192.168.7.0/24'],
    ['G-nodes', '10.0.10.0/24'],
    ['G-pods', '10.244.0.0/16'],
  ])
  expect(group.policyIn).toBe('DROP')
  expect(lines(group)).toEqual(
    expect.arrayContaining([
      'ACCEPT tcp 2379:2380 +G-nodes',
      'ACCEPT tcp 6443 +G-admins',
      'ACCEPT tcp 6443 +G-pods',
      'ACCEPT tcp 50000 +G-admins',
      'ACCEPT icmp all',
      'ACCEPT any +G-pods +G-pods',
    ]),
  )
  expect(lines(group).filter((line) => line.startsWith('DROP'))).toEqual([])
})

test('without default deny the ports of the cluster are dropped at the end, and the rest is accepted', async () => {
  const group = await groupOf({ default_deny: false })
  expect(group.policyIn).toBe('ACCEPT')
  const dropped = lines(group).filter((line) => line.startsWith('DROP'))
  expect(dropped).toContain('DROP tcp 2379:2380 all')
  expect(lines(group).slice(-dropped.length)).toEqual(dropped)
})

test('another policy is another group; everybody is no member of an IP set', async () => {
  const [one, same, other] = [await groupOf(), await groupOf(), await groupOf({ open_ports: [{ port: 443 }] })]
  expect(same.name).toBe(one.name)
  expect(other.name).not.toBe(one.name)
  expect(lines(other)).toContain('ACCEPT tcp 443 0.0.0.0/0')
  const open = await groupOf({ admin_networks: ['0.0.0.0/0'] })
  expect(open.ipsets.map(({ name }) => name)).not.toContain(`${open.name}-admins`)
  expect(lines(open)).toContain('ACCEPT tcp 6443 0.0.0.0/0')
})

test.each(['0.0.0.0/0', '::/0'])('%s opens its own IP family only', async (everybody) => {
  const group = await groupOf({ admin_networks: [everybody], open_ports: [{ port: 443, from: [everybody] }] })
  const opened = group.rules.filter(({ match: { dport } }) => dport === '443' || dport === '6443')
  expect(opened.filter(({ match: { source } }) => source === undefined)).toEqual([])
  expect(lines(group)).toEqual(expect.arrayContaining([`ACCEPT tcp 443 ${everybody}`, `ACCEPT tcp 6443 ${everybody}`]))
})
