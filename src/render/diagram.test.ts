import { expect, test } from 'vitest'
import { diagramMermaid } from './diagram-mermaid.js'
import { diagramSvg } from './diagram-svg.js'
import { aTopology } from './testing/a-topology.js'
import type { Topology, TopologyVm } from './topology.js'

const everything = [
  'https://10.0.10.5:6443',
  'VIP',
  'SSH root@pve1.example.com',
  'vmbr0, VLAN 240',
  '10.0.10.0/24',
  'gateway 10.0.10.1',
  'vmbr1',
  'pve1',
  'pve2',
  'dev-cp-1',
  'control plane',
  'VM 2000, 10.0.10.10',
  'dev-gpu-1',
  'pool gpu',
  'VM 3000, address by DHCP',
  '8 vCPU, 16 GiB, 60 + 200 GiB disk',
  'PCI rtx',
  'nas',
  'guest',
  'PCI hba',
]

test.each(everything)('both diagrams show %s', (text) => {
  expect(diagramSvg(aTopology())).toContain(text)
  expect(diagramMermaid(aTopology())).toContain(text)
})

test('Mermaid draws machines inside their host, and the API in front of control planes only', () => {
  const text = diagramMermaid(aTopology())
  expect(text).toContain('subgraph host1["pve2"]\n    vm2["dev-gpu-1<br/>pool gpu')
  expect(text).toContain('  api --> vm0\n')
  expect(text).not.toContain('api --> vm1')
  expect(text).not.toContain('api --> vm2')
})

test('every colour of the picture has one for dark pages', () => {
  const picture = diagramSvg(aTopology())
  const [, dark = ''] = /prefers-color-scheme: dark\)\{(.*)\}<\/style>/.exec(picture) ?? []
  const used = new Set([...picture.matchAll(/(?:fill|stroke)="(#[0-9a-f]{6})"/g)].map(([, colour]) => colour))
  expect([...used].filter((colour) => !dark.includes(`[fill="${colour}"]`))).toEqual([])
})

test('names cannot break out of either format', () => {
  const evil = aTopology({ cluster: '<script>', hosts: [{ name: 'a"b<c', machines: [], guests: [] }] })
  expect(diagramSvg(evil)).not.toMatch(/<script>|a"b/)
  expect(diagramMermaid(evil)).not.toContain('a"b')
})

test('machines whose host only Proxmox knows have a panel of their own', () => {
  const { hosts, ...rest } = aTopology()
  const unplaced: Topology = { ...rest, hosts: [{ machines: hosts.flatMap(({ machines }) => machines), guests: [] }] }
  expect(diagramSvg(unplaced)).toContain('any host (chosen by ichor up)')
})

test('two hundred machines fit into the picture, nothing lies outside of it', () => {
  const [first] = aTopology().hosts
  const template = first?.machines[0] as TopologyVm
  const machines = Array.from({ length: 40 }, (_, index) => ({
    ...template,
    name: `dev-wk-${index}`,
    vmid: 3000 + index,
  }))
  const hosts = Array.from({ length: 5 }, (_, index) => ({ name: `pve${index}`, machines, guests: [] }))
  const picture = diagramSvg(aTopology({ hosts }))
  const height = Number(/height="(\d+)"/.exec(picture)?.[1])
  const lowest = Math.max(...[...picture.matchAll(/ y="([\d.]+)"/g)].map(([, y]) => Number(y)))
  expect(picture.match(/dev-wk-39</g)).toHaveLength(5)
  expect(lowest).toBeLessThan(height)
})
