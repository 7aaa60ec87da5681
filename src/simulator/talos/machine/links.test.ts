import { expect, test } from 'vitest'
import { createLabNetwork } from '../../core/network.js'
import { parseMachineConfig } from '../config/documents.js'
import { networkFactsOf } from '../config/network-facts.js'
import { hostnameOf, setUpLinks } from './links.js'

const mac = 'BC:24:11:00:00:01'
const reservations = [{ mac, address: '10.5.0.77', hostname: 'leased' }]
const scope = {
  bridge: 'vmbr0',
  cidr: '10.5.0.0/24',
  gateway: '10.5.0.1',
  dns: ['10.5.0.1'],
  poolOffset: 100,
  reservations,
}
const nics = [{ slot: 'net0', mac, bridge: 'vmbr0', linkDown: false }]
const fromSeed = { name: 'eth0', addresses: ['10.5.0.8/24'], dhcp: false, gateways: [] }
const seed = { hostname: 'seeded', network: { links: [fromSeed], nameservers: [] } }

const documents = {
  'an alias by MAC': `apiVersion: v1alpha1
kind: LinkAliasConfig
name: net0
selector: { match: 'mac(link.permanent_addr) == "bc:24:11:00:00:01"' }
---
apiVersion: v1alpha1
kind: LinkConfig
name: net0
addresses: [{ address: 10.5.0.9/24 }]
`,
  'a device selector':
    'machine: { network: { interfaces: [{ deviceSelector: { hardwareAddr: "bc:24:11:00:00:01" }, addresses: [10.5.0.9/24] }] } }',
  'the name on nocloud': 'machine: { network: { interfaces: [{ interface: eth0, addresses: [10.5.0.9/24] }] } }',
  'the name on metal': 'machine: { network: { interfaces: [{ interface: ens18, addresses: [10.5.0.9/24] }] } }',
}

function linksOf(text: string | undefined, platform: 'nocloud' | 'metal', isSeeded = false) {
  const network = createLabNetwork({ scopes: [scope], prefix: 99 })
  const config = text === undefined ? undefined : networkFactsOf(parseMachineConfig(Buffer.from(text)))
  const links = setUpLinks({
    nics,
    platform,
    network,
    ...(config === undefined ? {} : { config }),
    ...(isSeeded ? { seed } : {}),
  })
  return { links, name: hostnameOf(links, config, isSeeded ? seed : undefined, 'talos-abc-def') }
}

test.each([
  { by: 'an alias by MAC', platform: 'nocloud', address: '10.5.0.9/24' },
  { by: 'an alias by MAC', platform: 'metal', address: '10.5.0.9/24' },
  { by: 'a device selector', platform: 'metal', address: '10.5.0.9/24' },
  { by: 'the name on nocloud', platform: 'nocloud', address: '10.5.0.9/24' },
  { by: 'the name on metal', platform: 'metal', address: '10.5.0.9/24' },
  { by: 'the name on nocloud', platform: 'metal', address: '10.5.0.77/24' },
] as const)('$by gives a $platform machine the address $address', ({ by, platform, address }) => {
  expect(linksOf(documents[by], platform).links[0]?.addresses).toEqual([address])
})

test.each([
  { what: 'nothing but itself', text: undefined, isSeeded: false, name: 'leased' },
  { what: 'a seed with a fixed address', text: undefined, isSeeded: true, name: 'seeded' },
  { what: 'a config', text: 'machine: { network: { hostname: given } }', isSeeded: true, name: 'given' },
  {
    what: 'a config that ignores the name of the lease',
    text: 'apiVersion: v1alpha1\nkind: DHCPv4Config\nname: eth0\nignoreHostname: true\n',
    isSeeded: false,
    name: 'talos-abc-def',
  },
])('a machine with $what is called $name', ({ text, isSeeded, name }) => {
  expect(linksOf(text, 'nocloud', isSeeded).name).toBe(name)
})

test('a link without a cable has no address', () => {
  const network = createLabNetwork({ scopes: [scope], prefix: 99 })
  const unplugged = nics.map((nic) => ({ ...nic, linkDown: true }))
  expect(setUpLinks({ nics: unplugged, platform: 'nocloud', network })[0]).toMatchObject({ addresses: [], isUp: false })
})
