import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { seedNetworkConfig } from './network-config.js'

const network = {
  links: [
    {
      mac: '02:CA:F5:11:7F:D0',
      addresses: ['10.0.10.11/24', '10.0.10.99/24', 'fd00::11/64'],
      gateways: ['10.0.10.1', 'fd00::1'],
      dhcp: false,
      mtu: 9000,
    },
    { mac: '02:CA:F5:11:7F:D1', addresses: [], gateways: [], dhcp: true },
  ],
  nameservers: ['10.0.10.1'],
}

test('the first form selects by MAC and gives each family its gateway once', () => {
  expect(parse(seedNetworkConfig(network, 1))).toEqual({
    version: 1,
    config: [
      {
        type: 'physical',
        name: 'eth0',
        mac_address: '02:ca:f5:11:7f:d0',
        mtu: 9000,
        subnets: [
          { type: 'static', address: '10.0.10.11/24', gateway: '10.0.10.1' },
          { type: 'static', address: '10.0.10.99/24' },
          { type: 'static6', address: 'fd00::11/64', gateway: 'fd00::1' },
        ],
      },
      { type: 'physical', name: 'eth1', mac_address: '02:ca:f5:11:7f:d1', subnets: [{ type: 'dhcp4' }] },
      { type: 'nameserver', address: ['10.0.10.1'] },
    ],
  })
})

test('the second form says the same', () => {
  expect(parse(seedNetworkConfig(network, 2))).toEqual({
    version: 2,
    ethernets: {
      eth0: {
        match: { macaddress: '02:ca:f5:11:7f:d0' },
        dhcp4: false,
        addresses: ['10.0.10.11/24', '10.0.10.99/24', 'fd00::11/64'],
        gateway4: '10.0.10.1',
        gateway6: 'fd00::1',
        mtu: 9000,
        nameservers: { addresses: ['10.0.10.1'] },
      },
      eth1: { match: { macaddress: '02:ca:f5:11:7f:d1' }, dhcp4: true },
    },
  })
})
