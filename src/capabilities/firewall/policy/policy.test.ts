import { expect, test } from 'vitest'
import { anInventory } from '../../../../tests/support/inventories.js'
import { firewallPolicy } from './policy.js'
import { disjoint, type Opening } from './ports.js'
import { talosRules } from './talos-rules.js'

async function rulesOf(firewall: object, role: 'controlplane' | 'worker', more: object = {}) {
  const network = { cidr: '10.0.10.0/24', gateway: '10.0.10.1', pod_cidr: '10.244.0.0/16' }
  const enabled = { enabled: true, admin_networks: ['192.168.7.0/24'], ...firewall }
  const { settings } = await anInventory({ with: { network, firewall: enabled, ...more } })
  const { defaultAction, rules } = talosRules(firewallPolicy(settings, role))
  const lines = rules.map(({ protocol, ports, from }) => {
    return `${protocol} ${ports.join()} from ${from.map(({ subnet }) => subnet).join(' ')}`
  })
  return { defaultAction, lines: lines.sort(), names: rules.map(({ name }) => name) }
}

const [admins, nodes, pods] = ['192.168.7.0/24', '10.0.10.0/24', '10.244.0.0/16']
const everyNode = [
  `tcp 10250 from ${nodes} ${pods}`,
  `tcp 50000 from ${nodes} ${admins}`,
  `udp 4789 from ${nodes}`,
  `udp 51820 from ${nodes}`,
  `udp 8472 from ${nodes}`,
]

test('a control plane lets people reach the two APIs, and nodes reach each other', async () => {
  const { defaultAction, lines } = await rulesOf({}, 'controlplane')
  expect(defaultAction).toBe('accept')
  expect(lines).toEqual(
    [
      ...everyNode,
      `tcp 2379-2380 from ${nodes}`,
      `tcp 50001 from ${nodes}`,
      `tcp 6443 from ${nodes} ${pods} ${admins}`,
    ].sort(),
  )
})

test('since Talos 1.14 etcd serves its metrics on a port of its own', async () => {
  const { lines } = await rulesOf({}, 'controlplane', { talos_version: 'v1.14.0' })
  expect(lines).toContain(`tcp 2383 from ${nodes}`)
  const before = await rulesOf({}, 'controlplane', { talos_version: 'v1.13.9' })
  expect(before.lines.join()).not.toContain('2383')
})

test('a worker has no API of Kubernetes to protect, and drops the rest on request', async () => {
  const { defaultAction, lines } = await rulesOf({ default_deny: true }, 'worker')
  expect(defaultAction).toBe('block')
  expect(lines).toEqual([...everyNode].sort())
})

test('ports of services and of an ingress are opened for those who are named', async () => {
  const { lines } = await rulesOf(
    {
      node_ports: ['10.1.0.0/16'],
      open_ports: [{ port: 443 }, { port: 30_080, from: ['0.0.0.0/0'] }],
    },
    'worker',
  )
  expect(lines).toEqual(
    expect.arrayContaining([
      'tcp 443 from 0.0.0.0/0',
      `tcp 30000-30079 from ${nodes} 10.1.0.0/16 ${pods}`,
      `tcp 30080 from 0.0.0.0/0 ${nodes} 10.1.0.0/16 ${pods}`,
      `tcp 30081-32767 from ${nodes} 10.1.0.0/16 ${pods}`,
      `udp 30000-32767 from ${nodes} 10.1.0.0/16 ${pods}`,
    ]),
  )
})

test('a port that is opened twice has one rule with both sources: a second rule would close it again', async () => {
  const { lines, names } = await rulesOf({ open_ports: [{ port: 6443, from: ['172.16.0.0/12'] }] }, 'controlplane')
  expect(lines.filter((line) => line.startsWith('tcp 6443'))).toEqual([
    `tcp 6443 from ${nodes} ${pods} 172.16.0.0/12 ${admins}`,
  ])
  expect(new Set(names).size).toBe(names.length)
})

test.each([
  { addons: { cilium: true }, ports: ['udp 8472', 'tcp 4240', 'tcp 4244', 'udp 51871'] },
  { addons: { kube_prometheus_stack: true }, ports: ['tcp 9100'] },
  { addons: { metallb: true }, ports: ['tcp 7946', 'udp 7946'], network: { load_balancer: '10.0.10.200-10.0.10.220' } },
])('$addons: nodes reach each other on $ports', async ({ addons, ports, network = {} }) => {
  const around = { cidr: nodes, gateway: '10.0.10.1', pod_cidr: pods, ...network }
  const { lines } = await rulesOf({}, 'worker', { addons, network: around })
  for (const port of ports) expect(lines.find((line) => line.startsWith(`${port} `))).toContain(nodes)
})

test('openings are cut where others begin, and no port is in two of them', () => {
  const opening = (name: string, first: number, last: number, from: string[]): Opening => ({
    name,
    protocol: 'tcp',
    first,
    last,
    from,
  })
  const cut = disjoint([opening('a', 1, 10, ['x']), opening('b', 5, 5, ['y']), opening('c', 20, 20, ['x'])])
  expect(cut.map(({ name, first, last, from }) => [name, first, last, from.join('+')])).toEqual([
    ['a-tcp-1', 1, 4, 'x'],
    ['a-tcp-5', 5, 5, 'x+y'],
    ['a-tcp-6', 6, 10, 'x'],
    ['c', 20, 20, 'x'],
  ])
})
