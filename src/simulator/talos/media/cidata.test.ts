import { expect, test } from 'vitest'
import { plainIso } from '../../core/plain-iso.js'
import { findMetalConfig, findSeed } from './cidata.js'

const drive = (label: string, files: Record<string, string>) => ({ bytes: () => plainIso(label, files) })
const v1 = `version: 1
config:
  - type: physical
    name: eth0
    mac_address: bc:24:11:00:00:01
    subnets: [{ type: static, address: 10.0.10.11, netmask: 255.255.255.0, gateway: 10.0.10.1 }]
  - { type: nameserver, address: [1.1.1.1] }
`
const v2 = `network:
  version: 2
  ethernets:
    id0:
      match: { macaddress: BC:24:11:00:00:01 }
      addresses: [10.0.10.12/24]
      routes: [{ to: default, via: 10.0.10.1 }]
`

test('the machine config is user-data, and drives with another label are not looked at', () => {
  const seed = findSeed([drive('other', { 'user-data': 'wrong' }), drive('CIDATA', { 'user-data': 'machine: {}' })])
  expect(Buffer.from(seed?.config ?? []).toString()).toBe('machine: {}')
})

test.each([
  { start: '#cloud-config\nhostname: a', because: "it is Proxmox's own drive" },
  { start: '', because: 'it is empty' },
])('user-data is no machine config when $because', ({ start }) => {
  expect(findSeed([drive('cidata', { 'user-data': start })])?.config).toBeUndefined()
})

test('without a network-config the metadata is ignored, hostname included', () => {
  expect(
    findSeed([drive('cidata', { 'user-data': '', 'meta-data': 'local-hostname: dev-cp-1' })])?.hostname,
  ).toBeUndefined()
})

test('with a network-config the hostname and the address of the link are known', () => {
  const seed = findSeed([drive('cidata', { 'meta-data': 'local-hostname: dev-cp-1', 'network-config': v1 })])
  expect(seed?.hostname).toBe('dev-cp-1')
  expect(seed?.network).toEqual({
    links: [
      { name: 'eth0', mac: 'BC:24:11:00:00:01', addresses: ['10.0.10.11/24'], dhcp: false, gateways: ['10.0.10.1'] },
    ],
    nameservers: ['1.1.1.1'],
  })
})

test('the serial of the machine may name it, above the volume', () => {
  const drives = [drive('cidata', { 'meta-data': 'hostname: a', 'network-config': v1 })]
  expect(findSeed(drives, 'ds=nocloud;h=dev-cp-9')?.hostname).toBe('dev-cp-9')
})

test('a metal machine finds its config on the volume metal-iso', () => {
  const config = findMetalConfig([drive('cidata', {}), drive('metal-iso', { 'config.yaml': 'machine: {}' })])
  expect(Buffer.from(config ?? []).toString()).toBe('machine: {}')
})

test('version 2 is matched by MAC', () => {
  const [link] = findSeed([drive('cidata', { 'network-config': v2 })])?.network?.links ?? []
  expect(link).toMatchObject({ mac: 'BC:24:11:00:00:01', addresses: ['10.0.10.12/24'], gateways: ['10.0.10.1'] })
})
