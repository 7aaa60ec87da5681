import { expect, test } from 'vitest'
import { inventoryOf } from '../tests/support/inventories.js'
import { connect } from './connect.js'
import { secretsStore } from './secrets-store.js'

const network = { cidr: '10.0.0.0/24', gateway: '10.0.0.1' }
const env = { VAULT_ADDR: 'https://vault.example:8200', VAULT_TOKEN: 'a-token' }
const notify = () => {}

test.each([
  { secrets: 'sops', isLab: false, location: '/inventory/dev/secrets.sops.yaml' },
  { secrets: 'plain', isLab: false, location: '/inventory/dev/secrets.yaml' },
  { secrets: 'vault://secret/clusters/dev', isLab: false, location: 'vault://secret/clusters/dev' },
  { secrets: 'plain', isLab: true, location: '/inventory/dev/secrets.lab.yaml' },
  { secrets: 'vault://secret/clusters/dev', isLab: true, location: '/inventory/dev/secrets.lab.sops.yaml' },
])('secrets: $secrets, in a lab: $isLab, live in $location', async ({ secrets, isLab, location }) => {
  const inventory = await inventoryOf({ cluster_name: 'dev', network, secrets })
  expect(secretsStore(inventory, { env, notify, isLab }).location).toBe(location)
})

test('a Vault without an address is reported before anything is asked', async () => {
  const inventory = await inventoryOf({ cluster_name: 'dev', network, secrets: 'vault://secret/clusters/dev' })
  expect(() => secretsStore(inventory, { env: {}, notify, isLab: false })).toThrow('no address of a Vault')
})

test('what needs no more than the nodes goes without Proxmox and its token', async () => {
  const inventory = await inventoryOf({ cluster_name: 'dev', network })
  await expect(connect(inventory, { env: {}, notify })).rejects.toThrow('No Proxmox endpoint')
  const { world, close } = await connect(inventory, { env: {}, notify, withoutProxmox: true })
  expect(() => world.proxmox.pools.list(AbortSignal.timeout(1000))).toThrow('does not use Proxmox')
  await close()
})
