import { expect, test } from 'vitest'
import { anInventory } from '../../../../tests/support/inventories.js'
import { nodePorts } from './node-ports.js'
import { firewallPolicy } from './policy.js'

const network = { cidr: '10.0.10.0/24', gateway: '10.0.10.1', pod_cidr: '10.244.0.0/16' }
const firewall = {
  enabled: true,
  admin_networks: ['192.168.7.0/24'],
  node_ports: ['10.1.0.0/16'],
  open_ports: [{ port: 443 }],
}

test('nodes dial what is opened for them: no UDP, no wide range, nothing that is only for others', async () => {
  const { settings } = await anInventory({ with: { network, firewall, addons: { cilium: true } } })
  expect(nodePorts(firewallPolicy(settings, 'controlplane'))).toEqual([
    2379, 2380, 4240, 4244, 6443, 10_250, 50_000, 50_001,
  ])
  expect(nodePorts(firewallPolicy(settings, 'worker'))).toEqual([4240, 4244, 10_250, 50_000])
})
