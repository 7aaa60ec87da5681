import { expect, test } from 'vitest'
import { anInventory } from '../tests/support/inventories.js'
import { openBackupStore } from './backup-store.js'
import { emptyMemory } from './secrets/bundle-file.js'
import { aBundle } from './talos/config/testdata/a-machine.js'

const env = { AWS_ENDPOINT_URL_S3: 'http://minio.lan:9000', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
const secrets = { find: async () => ({ bundle: aBundle(), memory: emptyMemory }) } as never

const opening = async (allowed: readonly string[]) => {
  const inventory = await anInventory({
    with: { allow_http: allowed, backup: { etcd: { store: 's3://backups/dev' } } },
  })
  return openBackupStore('s3://backups/dev', inventory, { env, store: secrets, state: [] })
}

test('allow_http permits a store without TLS wherever snapshots are taken, also before an upgrade', async () => {
  expect((await opening(['minio.lan'])).location).toContain('backups')
  await expect(opening([])).rejects.toMatchObject({ message: expect.stringContaining('http') })
})
